// The version of the compiler and of its runtime, which belong together. It stands here alone:
// CMake, the Python package and the tools take it from this file (test/version.py).
#pragma once

#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION_STRING "0.1.0"
