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

// As a program spells it: "__half".
std::string elementWords(mlir::Type element);

// "float, 128x32", of a tile anywhere.
std::string tileWords(mlir::Type element, llvm::ArrayRef<int64_t> shape);

// The variable that a value is read from, through assumptions and conversions of its width; nothing
// where it is computed.
std::optional<std::string> variableOf(mlir::Value value);

// The name of what a pointer is based on.
std::optional<std::string> memoryName(mlir::Value pointer);

// "'x'", or "memory" where a pointer has no name.
std::string memoryWords(mlir::Value pointer);

} // namespace tessera::explain
