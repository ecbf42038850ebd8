// The last steps of raise: what structuring left behind goes away.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tessera::raising {

// Before loops are looked for: conditions in their simplest form, the control flow graph as it is.
void simplifyConditions(mlir::func::FuncOp kernel);

// After: canonical, without common subexpressions, invariants before their loops, no dead local
// memory, choices between tiles by tile.select.
mlir::LogicalResult cleanUp(mlir::func::FuncOp kernel);

// Patterns for what structuring leaves of early exits: numbers that are truth values, ifs that
// choose between a value and nothing.
void populateExitFlagPatterns(mlir::RewritePatternSet &patterns);

} // namespace tessera::raising
