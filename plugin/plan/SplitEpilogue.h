// What an accumulator meets behind its loop, read and stored in parts (SplitEpilogue.cpp).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tessera::plan {

// Registers of a thread of two warpgroups for accumulators and for what meets them in registers, as
// residuals do.
constexpr int64_t registersOfEpilogue = 160;

// The reads of a kernel that are divided so that registersOfEpilogue are enough.
void collectReadsOfEpilogues(mlir::func::FuncOp kernel,
                             llvm::SmallPtrSetImpl<mlir::Operation *> &reads);

} // namespace tessera::plan
