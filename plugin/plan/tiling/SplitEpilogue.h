// Epilogues of accumulators, read and stored in parts (SplitEpilogue.cpp).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tessera::plan {

// Registers of a thread of two warpgroups for accumulators and for the tiles that are combined with
// them, such as residuals.
constexpr int64_t registersOfEpilogue = 160;

// The reads of a kernel that are divided so that registersOfEpilogue suffice.
void collectReadsOfEpilogues(mlir::func::FuncOp kernel,
                             llvm::SmallPtrSetImpl<mlir::Operation *> &reads);

} // namespace tessera::plan
