// Epilogues of accumulators, read and stored in parts (SplitEpilogue.cpp).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tessera::plan {

// The reads of a kernel that are divided so that registersOfEpilogue suffice.
void collectReadsOfEpilogues(mlir::func::FuncOp kernel,
                             llvm::SmallPtrSetImpl<mlir::Operation *> &reads);

} // namespace tessera::plan
