# Compiler settings that hold for the whole tree, and ccache where there is one.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

option(TESSERA_WERROR "Treat warnings as errors" OFF)
option(TESSERA_ASAN "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers hit the cache only if their time stamps are left out of the hash, and only
  # if headers are compared as they are: one that differs in a comment is another one to Clang.
  set(sloppiness pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=${sloppiness} CCACHE_DEPEND=1 ${TESSERA_CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(TESSERA_WERROR)
  add_compile_options(-Werror)
endif()
if(TESSERA_ASAN)
  add_compile_options(
    -fsanitize=address,undefined -fno-sanitize=vptr,function -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # A precompiled header out of ccache serves every clone, whatever its files' times are.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  add_link_options(-fuse-ld=lld)
endif()
