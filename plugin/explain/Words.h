// How remarks name what a program has: tiles, pointers and sizes as they are written there.
#pragma once

#include "frontend/Program.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "tile/TileDialect.h"

#include <optional>
#include <string>

namespace tessera::explain {

// Where an op is in the program.
frontend::Location placeOf(mlir::Operation *op);

// As a program spells it: "__half". Integers of tiles have no sign but the one that is given, as
// "signed" or "unsigned"; without one the name is that of the width: "char", "int".
std::string elementWords(mlir::Type element, llvm::StringRef sign = "");

// "float, 128x32", of a tile anywhere.
std::string tileWords(mlir::Type element, llvm::ArrayRef<int64_t> shape, llvm::StringRef sign = "");

// The same of a tile that is read or written by a pointer: its integers are what the kernel's
// parameter points to.
std::string tileWords(mlir::Type element, llvm::ArrayRef<int64_t> shape, mlir::Value pointer);

// Of a tile's value, by what it was read from.
std::string valueWords(mlir::Value tile);

// The variable that a value is read from, through assumptions and conversions of its width; nothing
// where it is computed.
std::optional<std::string> variableOf(mlir::Value value);

// The name of what a pointer is based on.
std::optional<std::string> memoryName(mlir::Value pointer);

// "'x'", or "memory" where a pointer has no name.
std::string memoryWords(mlir::Value pointer);

} // namespace tessera::explain
