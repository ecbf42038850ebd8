# LLVM, MLIR and Clang 22 as Debian ships them: one shared library each.
find_package(LLVM 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(Clang REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/clang)
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(TESSERA_LLVM_LIBRARY_DIR ${LLVM_LIBRARY_DIRS})
set(TESSERA_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})

# What every compiler-side target needs: headers, definitions, the RTTI setting of LLVM itself, and
# an rpath to its libraries.
add_library(tessera_llvm INTERFACE)
target_include_directories(tessera_llvm SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_include_directories(tessera_llvm INTERFACE
  ${PROJECT_SOURCE_DIR}/plugin ${PROJECT_BINARY_DIR}/plugin)
separate_arguments(TESSERA_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(tessera_llvm INTERFACE ${TESSERA_LLVM_DEFINITIONS})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(tessera_llvm INTERFACE -fno-rtti)
endif()
target_link_directories(tessera_llvm INTERFACE ${TESSERA_LLVM_LIBRARY_DIR})
target_link_libraries(tessera_llvm INTERFACE
  -l:libMLIR.so.22.1 -l:libclang-cpp.so.22.1 -l:libLLVM.so.22.1)
target_link_options(tessera_llvm INTERFACE -Wl,-rpath,${TESSERA_LLVM_LIBRARY_DIR})
