# What others find of Tessera: the installed tree, and the package in it and in the build tree.
include(CMakePackageConfigHelpers)
include(TesseraCompletion)
include(TesseraManual)

# The programs find headers and libraries beside their own folder, so these have no other names.
install(TARGETS tessera tessera-nvcc tessera-opt DESTINATION bin)
# Not on a PATH, where it would stand before NVIDIA's program of that name.
install(TARGETS tileiras DESTINATION libexec)
install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tessera-clangd
                 ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tessera-ptxas DESTINATION bin)
install(TARGETS tessera_plugin tessera_clangd tessera_compile tessera_cpu tessera_emulate
        tessera_launch tessera_verify DESTINATION lib)
install(TARGETS tessera_driver_of_emulator
        LIBRARY DESTINATION lib/tessera-emulate NAMELINK_SKIP)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/cutile DESTINATION share/tessera
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include DESTINATION .)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/python DESTINATION share/tessera
        PATTERN __pycache__ EXCLUDE)
foreach(tool IN ITEMS tessera tessera-nvcc)
  tessera_completion(${tool})
  tessera_manual(${tool} $<TARGET_FILE:${tool}>)
endforeach()
tessera_manual(tessera-clangd ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tessera-clangd)

set(package lib/cmake/TesseraTile)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(files ${here}/TesseraCuda.cmake ${here}/TesseraMessages.cmake ${here}/TesseraSources.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraTileConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

# The tree that is installed.
set(TESSERA_INCLUDE_PATH include)
set(TESSERA_PROGRAM_PATH bin)
set(TESSERA_LIBRARY_PATH lib)
configure_package_config_file(
  ${here}/TesseraTileConfig.cmake.in ${PROJECT_BINARY_DIR}/installed/TesseraTileConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS TESSERA_INCLUDE_PATH TESSERA_PROGRAM_PATH TESSERA_LIBRARY_PATH)
install(FILES ${files} ${PROJECT_BINARY_DIR}/installed/TesseraTileConfig.cmake
  ${PROJECT_BINARY_DIR}/TesseraTileConfigVersion.cmake DESTINATION ${package})

# The tree that is built.
set(TESSERA_INCLUDE_PATH ${PROJECT_SOURCE_DIR}/runtime/include)
set(TESSERA_PROGRAM_PATH ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(TESSERA_LIBRARY_PATH ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY})
configure_package_config_file(
  ${here}/TesseraTileConfig.cmake.in ${PROJECT_BINARY_DIR}/TesseraTileConfig.cmake
  INSTALL_DESTINATION ${PROJECT_BINARY_DIR} INSTALL_PREFIX ${PROJECT_BINARY_DIR}
  PATH_VARS TESSERA_INCLUDE_PATH TESSERA_PROGRAM_PATH TESSERA_LIBRARY_PATH)
configure_file(${here}/TesseraCuda.cmake TesseraCuda.cmake COPYONLY)
configure_file(${here}/TesseraMessages.cmake TesseraMessages.cmake COPYONLY)
configure_file(${here}/TesseraSources.cmake TesseraSources.cmake COPYONLY)
