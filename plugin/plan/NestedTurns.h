// The turns that a loop takes in all iterations of the loop around it, as one sequence: what its
// body computes of counters and of what lies outside is known in later turns, be they of a later
// iteration of the loop around it.
//
//   for P { %row = P / n; for p { use(%row, p) } }
// A turn is {p, P, exists, what either loop carries and moves evenly, what the outer body computes
// of P}, here {p, P, exists, %row}. The next one is
//   p + step < upper ? {p + step, P, exists, %row} : {lower, P + step, ..., (P + step) / n}
// so that quotients are made once for an iteration of the outer loop, whatever its inner one counts.
#pragma once

#include "plan/OtherIterations.h"

namespace tessera::plan {

class NestedTurns {
public:
  // Of a loop directly in the body of another, all of whose iterations give it the same bounds;
  // the operands of `reads` have slices in it. Nothing where these are not known in other iterations
  // of the outer loop, or need more than numbers. Bounds, and what is the same in all iterations, go
  // before the outer loop.
  static std::optional<NestedTurns> of(mlir::scf::ForOp inner,
                                       llvm::ArrayRef<mlir::Operation *> reads);

  mlir::scf::ForOp outerLoop() const { return outer; }
  // The first turn; before the outer loop.
  llvm::SmallVector<mlir::Value> first(mlir::OpBuilder &b) const;
  // The turn behind `turn`.
  llvm::SmallVector<mlir::Value> next(mlir::OpBuilder &b, mlir::ValueRange turn) const;
  // Where `turn` stands in the inner loop; `map` gets what that loop's body finds there.
  OtherIteration at(mlir::OpBuilder &b, mlir::ValueRange turn, mlir::IRMapping &map) const;

private:
  NestedTurns(mlir::scf::ForOp inner, mlir::scf::ForOp outer) : inner(inner), outer(outer) {}
  bool collect(llvm::ArrayRef<mlir::Operation *> reads);
  mlir::Value withFacts(mlir::OpBuilder &b, mlir::Value turnValue, mlir::Value known) const;
  llvm::SmallVector<mlir::Value> turnOf(mlir::Value variable, mlir::Value outerVariable,
                                        mlir::Value exists, const mlir::IRMapping &map,
                                        bool isFirst) const;
  void mapTurn(mlir::ValueRange turn, mlir::IRMapping &map) const;

  mlir::scf::ForOp inner, outer;
  Slice slice;                                          // in the outer loop
  llvm::SmallSetVector<mlir::BlockArgument, 4> carried; // by the inner loop
  llvm::SmallSetVector<mlir::Value, 4> seen; // of the outer body's values: what the inner one reads
};

} // namespace tessera::plan
