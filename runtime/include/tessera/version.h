// The version of the compiler and of its runtime, which belong together. The build reads this file,
// too; test/version.py holds the other places equal.
#pragma once

#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_STRING "0.1"
