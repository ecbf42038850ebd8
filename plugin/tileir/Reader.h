// Bytes of Tile IR bytecode, versions 13.1 to 13.4, to a module in memory.
#pragma once

#include "tileir/Module.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tessera::tileir {

// The first bytes of a file of bytecode.
constexpr llvm::StringLiteral magic = llvm::StringLiteral::withInnerNUL("\x7fTileIR\0");

// The newest version that is read: 13.N.
constexpr unsigned newestMinor = 4;

// Any bytes give a module or an error that names the offset of what is wrong. Time and memory are
// proportional to the number of bytes.
llvm::Expected<Module> read(std::unique_ptr<llvm::MemoryBuffer> bytes);

} // namespace tessera::tileir
