// `tessera run program.py`: a program of cuTile Python. The script python/cutile/launch.py prepares
// its environment, for this and for the Python package alike.
#pragma once

#include "driver/Options.h"

namespace tessera::driver {

bool isPythonProgram(llvm::StringRef file);

// The exit status of the program, or 2 if it could not be run.
int runPython(const Options &options);

} // namespace tessera::driver
