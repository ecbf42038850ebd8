# The Debian package `tessera`, by `cpack -G DEB` in the build folder, for the release of Debian
# that this is: its programs and the plugin use Clang 22, LLVM and MLIR of the system's packages.
# The tree is /usr/lib/tessera; cmake/package/layout.sh and debian.sh put into /usr/bin and
# /usr/share what is seen of it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "Tessera")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler of CUDA Tile C++ for GPUs and CPUs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Compiles kernels of CUDA Tile C++ - C++20 with cuda_tile.h - into SIMT CUDA C++
that can be read, kept and shipped, or runs them on a CPU. The package has the
tools tessera, tessera-nvcc (in the place of nvcc) and tessera-clangd (for
editors), the plugin for clang-22, the runtime and the package TesseraTile for
CMake.
.
For GPUs a CUDA toolkit, 12.8 or newer, is needed besides; for CPUs its headers
are enough. NVIDIA's packages, or its wheels on PyPI, have them.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/tessera)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES ON)
# Clang compiles what the tools emit, with clang-linker-wrapper of clang-tools for a GPU, and
# Boost.Context runs threads of the emulator; the libraries that the programs themselves need are
# looked up. Debian's CUDA toolkit is too old; cuda-toolkit is NVIDIA's.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-22, clang-tools-22, lld-22, libboost-context-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clangd-22, llvm-22")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, cuda-toolkit, python3")

# Who answers for the package: of this commit, unless somebody else is named.
find_package(Git QUIET)
if(GIT_EXECUTABLE)
  execute_process(COMMAND ${GIT_EXECUTABLE} log -1 "--format=%cn <%ce>"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE maintainer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT maintainer)
  set(maintainer "Tessera maintainers <maintainers@localhost>")
endif()
set(TESSERA_MAINTAINER "${maintainer}" CACHE STRING "Who answers for packages: Name <address>")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TESSERA_MAINTAINER}")

set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/TesseraDebianFiles.cmake)
file(CONFIGURE OUTPUT ${CPACK_PRE_BUILD_SCRIPTS} @ONLY CONTENT [[
foreach(script IN ITEMS layout.sh debian.sh)
  execute_process(
    COMMAND bash @CMAKE_CURRENT_LIST_DIR@/package/${script} ${CPACK_TEMPORARY_DIRECTORY}/usr
      @PROJECT_VERSION@-1 "@TESSERA_MAINTAINER@"
    WORKING_DIRECTORY @PROJECT_SOURCE_DIR@ COMMAND_ERROR_IS_FATAL ANY)
endforeach()
]])
include(CPack)
