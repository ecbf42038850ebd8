// Which values generated code writes where they are used, instead of in a variable.
#pragma once

#include "mlir/IR/Operation.h"

namespace tessera::plan {

// Is the value written at each use, as a parameter is, since it costs nothing there?
bool isExpanded(mlir::Operation *op);

// Does the value's only user compute the same if it has the op in its place?
bool canInline(mlir::Operation *op);

} // namespace tessera::plan
