// What tessera itself does with a file of Tile IR bytecode. The command tileiras compiles it.
#pragma once

#include "driver/Options.h"

namespace tessera::driver {

// By its first bytes; also false where it cannot be read.
bool isBytecode(llvm::StringRef file);

// Prints what the plan decided about each kernel, as explain does for programs, at the lines that
// the bytecode names, for the first architecture; refuses all other commands. Exit status of the
// tool.
int readBytecode(const Options &options);

} // namespace tessera::driver
