// From a control flow graph (cf) to structured control flow (scf); counted loops are raised before.
#pragma once

#include "mlir/IR/Region.h"

namespace tessera::structuring {

// Makes a single block of a region whose blocks branch with cf and leave with one kind of
// terminator (func.return or scf.yield).
mlir::LogicalResult structure(mlir::Region &region);

} // namespace tessera::structuring
