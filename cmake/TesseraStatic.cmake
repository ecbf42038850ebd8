# Executables with LLVM, MLIR and Clang in them, for machines that have none of these: links the
# distribution's static archives. Such a target is made only when it is asked for by name, and where
# TESSERA_HAS_ARCHIVES says that there are archives.
#
#   tessera_static_executable(name SOURCES file... PARTS part... [ARCHIVES archive...])
#
# Parts are object libraries of the compiler, by their names without "tessera_"; archives come
# before those of MLIR and LLVM.
file(GLOB TESSERA_MLIR_ARCHIVES ${TESSERA_LLVM_LIBRARY_DIR}/libMLIR*.a)
list(FILTER TESSERA_MLIR_ARCHIVES EXCLUDE REGEX "CAPI|Python|Test|ExecutionEngine|JitRunner")
file(GLOB TESSERA_LLVM_ARCHIVES ${TESSERA_LLVM_LIBRARY_DIR}/libLLVM*.a)
# Looked for each time: an archive may have been installed since.
unset(TESSERA_ZLIB CACHE)
unset(TESSERA_ZSTD CACHE)
find_library(TESSERA_ZLIB NAMES libz.a z NO_CACHE)
find_library(TESSERA_ZSTD NAMES libzstd.a zstd libzstd.so.1 NO_CACHE)
set(TESSERA_HAS_ARCHIVES OFF)
if(TESSERA_MLIR_ARCHIVES AND TESSERA_LLVM_ARCHIVES AND TESSERA_ZLIB AND TESSERA_ZSTD)
  set(TESSERA_HAS_ARCHIVES ON)
endif()

function(tessera_static_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "" "SOURCES;PARTS;ARCHIVES")
  add_executable(${name} EXCLUDE_FROM_ALL ${of_SOURCES})
  foreach(part IN LISTS of_PARTS)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:tessera_${part}>)
  endforeach()
  # All of tessera_llvm but its shared libraries.
  target_include_directories(${name} PRIVATE
    $<TARGET_PROPERTY:tessera_llvm,INTERFACE_INCLUDE_DIRECTORIES>)
  target_include_directories(${name} SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE
    $<TARGET_PROPERTY:tessera_llvm,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(${name} PRIVATE
    $<TARGET_PROPERTY:tessera_llvm,INTERFACE_COMPILE_OPTIONS>)
  target_link_options(${name} PRIVATE
    -Wl,--gc-sections,--icf=all,-s -no-pie -static-libstdc++ -static-libgcc)
  target_link_libraries(${name} PRIVATE
    -Wl,--start-group ${of_ARCHIVES} ${TESSERA_MLIR_ARCHIVES} ${TESSERA_LLVM_ARCHIVES}
    -Wl,--end-group ${TESSERA_ZLIB} ${TESSERA_ZSTD} -lpthread -ldl)
endfunction()
