// The disassembler: a module of Tile IR bytecode as text, one line per operation, with the line of
// the source that it comes from. For people and tests; nothing reads it.
#pragma once

#include "tileir/Module.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tessera::tileir {

void print(const Module &module, llvm::raw_ostream &out);

// "tile<64x32xf32>"
std::string textOf(const Type &type);

} // namespace tessera::tileir
