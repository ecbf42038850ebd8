// What a location says about the source: raise writes it, the other stages read it.
#pragma once

#include "support/FileLocation.h"

#include "mlir/IR/Location.h"

#include <optional>
#include <string>

namespace tessera::tile {

// The programmer's name for a value.
std::optional<std::string> sourceName(mlir::Location location);
// The source location that a location stands for; null if there is none.
mlir::FileLineColLoc sourceLocation(mlir::Location location);
// The same for messages; empty if there is none.
FileLocation fileLocation(mlir::Location location);

} // namespace tessera::tile
