// From a control flow graph (cf) to structured control flow (scf): counted loops first, then the
// rest.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::raising {

// Makes a single block of a region whose blocks branch with cf and leave with one kind of
// terminator (func.return or scf.yield).
mlir::LogicalResult structure(mlir::Region &region);

// Before: a loop of blocks that counts from lo to hi. After: scf.for in one block, with its body
// structured. Loops of other shapes stay.
mlir::LogicalResult raiseCountedLoops(mlir::func::FuncOp function);

} // namespace tessera::raising
