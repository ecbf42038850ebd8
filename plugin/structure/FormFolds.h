// Reductions and scans by a function of the program.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::structuring {

// The function is inlined into the kernel between tile.fold_argument, which represents what it
// takes, and tile.fold_result, which takes what it computes. That part of the kernel becomes the
// region of a tile.fold. Refuses functions that do more than compute.
mlir::LogicalResult formFolds(mlir::func::FuncOp kernel);

} // namespace tessera::structuring
