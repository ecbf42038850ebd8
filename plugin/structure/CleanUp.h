// The last steps: remove what structuring leaves.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tessera::structuring {

// Before loops are recognised: simplifies conditions, keeps the control flow graph.
void simplifyConditions(mlir::func::FuncOp kernel);

// After: canonical, without common subexpressions, invariants hoisted out of loops, no dead local
// memory, selections of tiles by tile.select.
mlir::LogicalResult cleanUp(mlir::func::FuncOp kernel);

// Patterns for the remains of early exits after structuring: integers that are truth values, ifs
// that select a value or nothing.
void populateExitFlagPatterns(mlir::RewritePatternSet &patterns);

} // namespace tessera::structuring
