// Counted loops of a control flow graph.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::structuring {

// Before: a loop of blocks that counts from lo to hi. After: scf.for in one block, with its body
// structured. Loops of other shapes are unchanged.
mlir::LogicalResult raiseCountedLoops(mlir::func::FuncOp function);

} // namespace tessera::structuring
