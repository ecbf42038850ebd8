# Where the CUDA toolkit is: headers, ptxas, fatbinary, libdevice, cudart. A folder in the shape of
# /usr/local/cuda.
#
# Order: -DTESSERA_CUDA_PATH, CUDA_HOME, CUDA_PATH, nvcc on the PATH, /usr/local/cuda, and last the
# one that scripts/setup.sh puts into the build folder. Only the tests and the tool's default need
# it; no target links with CUDA.
function(tessera_find_cuda result)
  find_program(TESSERA_NVCC nvcc NO_CACHE)
  set(candidates $ENV{CUDA_HOME} $ENV{CUDA_PATH})
  if(TESSERA_NVCC)
    file(REAL_PATH ${TESSERA_NVCC} compiler)
    cmake_path(GET compiler PARENT_PATH folder)
    cmake_path(GET folder PARENT_PATH folder)
    list(APPEND candidates ${folder})
  endif()
  list(APPEND candidates /usr/local/cuda ${CMAKE_BINARY_DIR}/cuda)
  foreach(candidate IN LISTS candidates)
    if(EXISTS ${candidate}/include/cuda_runtime.h AND EXISTS ${candidate}/bin/ptxas)
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} /usr/local/cuda PARENT_SCOPE)
endfunction()

if(NOT TESSERA_CUDA_PATH)
  tessera_find_cuda(found)
  set(TESSERA_CUDA_PATH ${found} CACHE PATH "CUDA toolkit, 12.8 or newer" FORCE)
endif()
message(STATUS "CUDA toolkit: ${TESSERA_CUDA_PATH}")
