# tessera_target_sources(target PRIVATE file.cu...): CUDA Tile C++ as sources of a target.
#
# Each file is translated by tessera, and the translation compiled; both again when a file changes
# that they are made of. The target's include folders, definitions, position independence, and of
# its build type optimization, debug information and NDEBUG hold for them, and it links with what
# the kernels run on.
#
# What the kernels run on is one choice for the project, the cache variable TESSERA_TARGET:
#   gpu      an NVIDIA GPU; the default where this machine has one and a CUDA toolkit
#   cpu      tiles as plain C++; the default elsewhere
#   emulate  the kernels that a GPU would run, on fibers, with a check for races
# For GPUs TESSERA_ARCHITECTURES is a list as in "sm_80;sm_90a", and TESSERA_CUDA_COMPILER the path
# of nvcc, or empty for Clang.
#
# Programs link with cudart as a shared library, which the libraries of a process share, unless
# CMAKE_CUDA_RUNTIME_LIBRARY is Static.
#
# An object library hands its objects to what links with it, as those of its other sources.
# $<TARGET_OBJECTS:name> has those alone that CMake compiles; the others are
# $<GENEX_EVAL:$<TARGET_PROPERTY:name,TESSERA_OBJECTS>>.
include_guard()

# Stops with a row of TesseraMessages.cmake and its arguments.
function(_tessera_fail row)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TesseraMessages.cmake)
  set(text "${_tessera_message_${row}}")
  set(number 0)
  foreach(argument IN LISTS ARGN)
    string(REPLACE "{${number}}" "${argument}" text "${text}")
    math(EXPR number "${number} + 1")
  endforeach()
  message(FATAL_ERROR "${text}")
endfunction()

function(_tessera_default_target result)
  file(GLOB devices /dev/nvidia[0-9]* /dev/dxg)
  if(devices AND EXISTS ${TESSERA_CUDA_PATH}/bin/ptxas)
    set(${result} gpu PARENT_SCOPE)
  else()
    set(${result} cpu PARENT_SCOPE)
  endif()
endfunction()

if(NOT TESSERA_TARGET)
  _tessera_default_target(_tessera_target)
  set(TESSERA_TARGET ${_tessera_target} CACHE STRING "What tile kernels run on: gpu, cpu or emulate"
      FORCE)
  message(STATUS "Tile kernels run on: ${TESSERA_TARGET}")
endif()
set_property(CACHE TESSERA_TARGET PROPERTY STRINGS gpu cpu emulate)
set(TESSERA_ARCHITECTURES sm_90a CACHE STRING "GPUs that tile kernels are compiled for")
set(TESSERA_CUDA_COMPILER "" CACHE FILEPATH "nvcc for translated files; empty: Clang")

# Host code of every target sees CUDA's headers; programs link with cudart, or what stands in for
# it.
function(_tessera_link_runtime target)
  target_include_directories(${target} SYSTEM PRIVATE ${TESSERA_CUDA_PATH}/include)
  find_package(Threads REQUIRED)
  if(TESSERA_TARGET STREQUAL gpu)
    set(names libcudart.so libcudart.so.13)
    if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL Static)
      set(names libcudart_static.a)
    endif()
    foreach(name IN LISTS names)
      file(GLOB found ${TESSERA_CUDA_PATH}/lib64/${name} ${TESSERA_CUDA_PATH}/lib/${name})
      if(found)
        list(GET found 0 library)
        target_link_libraries(${target} PRIVATE ${library} Threads::Threads ${CMAKE_DL_LIBS} rt)
        return()
      endif()
    endforeach()
    list(JOIN names " or " names)
    _tessera_fail(NoRuntime "${names}" "${TESSERA_CUDA_PATH}")
  endif()
  target_link_libraries(${target} PRIVATE Tessera::emulate Tessera::cpu)
endfunction()

# The compiler's words for a translated file.
function(_tessera_compile_words result is_shared)
  set(optimization "$<IF:$<CONFIG:Debug>,-O0,-O2>")
  set(debug "$<$<CONFIG:Debug,RelWithDebInfo>:-g>")
  set(words -std=c++20 -w ${optimization} ${debug} -isystem ${TESSERA_INCLUDE_DIR})
  if(TESSERA_TARGET STREQUAL gpu AND TESSERA_CUDA_COMPILER)
    foreach(architecture IN LISTS TESSERA_ARCHITECTURES)
      string(REPLACE sm_ "" number ${architecture})
      list(APPEND words -gencode arch=compute_${number},code=sm_${number})
    endforeach()
    set(words ${TESSERA_CUDA_COMPILER} -x cu ${words} "$<$<BOOL:${is_shared}>:-Xcompiler=-fPIC>")
  elseif(TESSERA_TARGET STREQUAL gpu)
    # Clang has no name for a family: code of its first GPU runs on the others.
    list(TRANSFORM TESSERA_ARCHITECTURES REPLACE "f$" "" OUTPUT_VARIABLE architectures)
    list(TRANSFORM architectures PREPEND --offload-arch=)
    set(words ${TESSERA_CLANG} -x cuda --cuda-path=${TESSERA_CUDA_PATH} ${architectures}
        -Wno-unknown-cuda-version ${words} "$<$<BOOL:${is_shared}>:-fPIC>")
  else()
    if(TESSERA_TARGET STREQUAL cpu)
      set(own -fopenmp-simd)
    else()
      set(own -DTESSERA_EMULATE -gline-tables-only)
    endif()
    set(words ${TESSERA_CLANG} -x c++ -ffp-contract=off ${own} ${words}
        -isystem ${TESSERA_CUDA_PATH}/include "$<$<BOOL:${is_shared}>:-fPIC>")
  endif()
  set(${result} ${words} PARENT_SCOPE)
endfunction()

# An editor finds in compile_commands.json how a tile source is to be read, from a target that is
# never built.
function(_tessera_show_source target source)
  set(shown ${target}_tile_sources)
  if(NOT CMAKE_EXPORT_COMPILE_COMMANDS)
    return()
  endif()
  if(NOT TARGET ${shown})
    add_library(${shown} OBJECT EXCLUDE_FROM_ALL)
    target_include_directories(${shown} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${shown} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    list(GET TESSERA_ARCHITECTURES 0 architecture)
    string(REGEX REPLACE "f$" "" architecture ${architecture})
    target_compile_options(${shown} PRIVATE
      -x cuda -std=c++20 --cuda-path=${TESSERA_CUDA_PATH} --offload-arch=${architecture}
      -isystem ${TESSERA_INCLUDE_DIR})
  endif()
  target_sources(${shown} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
endfunction()

# A name as make and ninja read it in a rule; of the configuration CMake makes a word.
function(_tessera_rule_name result name)
  string(REPLACE "$" "$$" name "${name}")
  string(REPLACE "$$<CONFIG>" "$<CONFIG>" name "${name}")
  string(REPLACE "#" "\\#" name "${name}")
  string(REPLACE " " "\\ " name "${name}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# Where a source's text and object are made: of several configurations each has its own.
function(_tessera_made_place result target name)
  set(place ${CMAKE_CURRENT_BINARY_DIR}/${target}.tessera)
  cmake_path(GET name PARENT_PATH folder)
  get_property(has_several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(has_several)
    foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES)
      file(MAKE_DIRECTORY ${place}/${configuration}/${folder})
    endforeach()
    string(APPEND place "/$<CONFIG>")
  else()
    file(MAKE_DIRECTORY ${place}/${folder})
  endif()
  set(${result} ${place}/${name} PARENT_SCOPE)
endfunction()

function(tessera_target_sources target scope)
  if(NOT TARGET ${target})
    _tessera_fail(NoTarget "${target}")
  endif()
  if(NOT scope STREQUAL PRIVATE)
    _tessera_fail(NotPrivate "${target}")
  endif()
  if(NOT TESSERA_TARGET MATCHES "^(gpu|cpu|emulate)$")
    _tessera_fail(NoKind "${TESSERA_TARGET}")
  endif()
  get_target_property(type ${target} TYPE)
  set(is_shared "$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>")
  if(type MATCHES "SHARED_LIBRARY|MODULE_LIBRARY")
    set(is_shared 1)
  endif()
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(program "$<$<BOOL:${folders}>:-I$<JOIN:${folders},$<SEMICOLON>-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
      "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-DNDEBUG>")
  list(JOIN TESSERA_ARCHITECTURES , architectures)
  _tessera_compile_words(compile "${is_shared}")

  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET source PARENT_PATH home)
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REPLACE ../ __/ name ${name})
    _tessera_made_place(made ${target} ${name})
    _tessera_rule_name(rule "${made}.o")
    add_custom_command(
      OUTPUT ${made}.${TESSERA_TARGET}.cu
      COMMAND Tessera::tessera --target=${TESSERA_TARGET} --arch=${architectures}
              --cuda-path=${TESSERA_CUDA_PATH} ${program} ${source}
              -o ${made}.${TESSERA_TARGET}.cu --depfile=${made}.text.d
      DEPENDS ${source} Tessera::tessera
      DEPFILE ${made}.text.d
      COMMENT "Translating ${name} for ${TESSERA_TARGET}"
      COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_command(
      OUTPUT ${made}.o
      COMMAND ${compile} ${program} -I${home} -MD -MT ${rule} -MF ${made}.o.d
              -c ${made}.${TESSERA_TARGET}.cu -o ${made}.o
      DEPENDS ${made}.${TESSERA_TARGET}.cu
      DEPFILE ${made}.o.d
      COMMENT "Compiling ${name} for ${TESSERA_TARGET}"
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${made}.o)
    set_source_files_properties(${made}.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    set_property(TARGET ${target} APPEND PROPERTY TESSERA_OBJECTS ${made}.o)
    if(type STREQUAL OBJECT_LIBRARY)
      target_link_libraries(${target} INTERFACE ${made}.o)
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX) # it may have no other source
    endif()
    _tessera_show_source(${target} ${source})
  endforeach()
  get_target_property(has_runtime ${target} TESSERA_HAS_RUNTIME)
  if(NOT has_runtime)
    _tessera_link_runtime(${target})
    set_target_properties(${target} PROPERTIES TESSERA_HAS_RUNTIME ON)
  endif()
endfunction()
