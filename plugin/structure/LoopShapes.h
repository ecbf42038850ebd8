// The shapes of loops of a control flow graph that count from lo to hi.
//
// Two are recognised. Tested at the top, like C++ loops: the header compares `i < hi` and is the
// only exit. Tested at the bottom, after loop rotation: the latch compares `i + step < hi` and is
// the only exit, and `lo < hi` is known on entry. The step may be any loop invariant. At the top,
// `i * 8 < hi` counts to the quotient rounded up, as loops over tiles of 8 rows do. Loops that
// count in another way, as down, are left to the plan, which counts those around multiplies
// (plan/normalize/CountLoops).
#pragma once

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"

#include <optional>

namespace tessera::structuring {

struct CountedLoop {
  llvm::SmallVector<mlir::Block *> blocks; // header first
  mlir::Block *header = nullptr, *latch = nullptr, *body = nullptr, *exit = nullptr;
  mlir::ValueRange bodyOperands, exitOperands;
  bool testsAtTop = false, isUnsignedCompare = false, isInclusive = false;
  bool isWidened = false; // for the comparison with a wider bound
  mlir::Value scale; // a constant above 0 that the comparison multiplies the variable by; or null
  unsigned variable = 0; // the header argument that is the induction variable
  mlir::Value upper, step;
  llvm::SmallVector<mlir::Value> next; // what the latch passes to the header

  bool contains(mlir::Block *block) const { return llvm::is_contained(blocks, block); }
  bool contains(mlir::Operation *op) const {
    mlir::Block *block = op->getBlock();
    while (block && block->getParent() != header->getParent())
      block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr;
    return block && contains(block);
  }
  bool defines(mlir::Value value) const { return contains(value.getParentBlock()); }
};

std::optional<CountedLoop> recognise(mlir::CFGLoop &found);

} // namespace tessera::structuring
