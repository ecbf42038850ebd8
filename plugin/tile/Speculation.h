// Ops that may be computed where the program would not compute them: before a loop, or next to a
// branch.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::tile {

// Pure, and no operand makes it fail. MLIR knows that about quotients, but treats remainders as
// pure whatever their divisor is: a CPU ends a program there, and a compiler of the generated code
// concludes from `a % b` that b is not zero.
inline bool isSpeculatable(mlir::Operation *op) {
  if (!mlir::isPure(op))
    return false;
  if (!mlir::isa<mlir::arith::RemSIOp, mlir::arith::RemUIOp>(op))
    return true;
  llvm::APInt divisor;
  return mlir::matchPattern(op->getOperand(1), mlir::m_ConstantInt(&divisor)) &&
         !divisor.isZero() && (mlir::isa<mlir::arith::RemUIOp>(op) || !divisor.isAllOnes());
}

} // namespace tessera::tile
