// tessera tileir-dump: Tile IR bytecode as text.
#pragma once

#include <string>

namespace tessera::driver {

// To standard output. 0, or after a message 1: the file is no bytecode, 2: it cannot be read.
int dumpBytecode(const std::string &file);

} // namespace tessera::driver
