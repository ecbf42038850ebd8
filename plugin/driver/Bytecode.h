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

// tessera tileir-dump: as text, to standard output. 0, or after a message 1: the file is no
// bytecode, 2: it cannot be read.
int dumpBytecode(const std::string &file);

} // namespace tessera::driver
