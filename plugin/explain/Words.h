// Names for remarks: the tiles, pointers and sizes as the program writes them.
#pragma once

#include "support/FileLocation.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "tile/TileDialect.h"

#include <optional>
#include <string>

namespace tessera::explain {

// The location of an op in the program.
FileLocation locationOf(mlir::Operation *op);

// The program's spelling: "__half". Integers of tiles have no signedness except the given one,
// "signed" or "unsigned"; without one the name is that of the width: "char", "int".
std::string elementWords(mlir::Type element, llvm::StringRef sign = "");

// "float, 128x32", for any tile.
std::string tileWords(mlir::Type element, llvm::ArrayRef<int64_t> shape, llvm::StringRef sign = "");

// The same for a tile that is read or written through a pointer: its integer type is the pointee of
// the kernel's parameter.
std::string tileWords(mlir::Type element, llvm::ArrayRef<int64_t> shape, mlir::Value pointer);

// For a tile's value, from the memory it was loaded from.
std::string valueWords(mlir::Value tile);

// The variable that a value is read from, through assumptions and width conversions; nothing if it
// is computed.
std::optional<std::string> variableOf(mlir::Value value);

// The name of a pointer's base.
std::optional<std::string> memoryName(mlir::Value pointer);

// "'x'", or "memory" if a pointer has no name.
std::string memoryWords(mlir::Value pointer);

} // namespace tessera::explain
