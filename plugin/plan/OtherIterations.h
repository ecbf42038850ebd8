// Values of a loop's body as they are in another iteration.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::plan {

// What values of a loop's body are computed from, beside the induction variable and what lies
// outside the loop.
struct Slice {
  llvm::SetVector<mlir::Operation *> ops;               // in their order: pure ones, and divisions
  llvm::SmallSetVector<mlir::BlockArgument, 4> carried; // each grows evenly
};

// Adds what `value` needs; false if it needs what is known in its own iteration only, or what must
// not be computed where there is no such iteration.
bool collectSlice(mlir::Value value, mlir::scf::ForOp loop, Slice &slice);

// Of all these values, which have slices.
Slice sliceOf(mlir::ValueRange values, mlir::scf::ForOp loop);

// Another iteration, seen from where its values are computed.
struct OtherIteration {
  mlir::Value variable; // the induction variable there
  mlir::Value exists;   // whether it takes place
  int64_t distance;     // iterations behind the one that is seen, or, before the loop, the first
  bool isBeforeLoop;    // the values are computed before the loop
};

// Computes the slice as it is there, as far as `map` does not have it yet. Where the iteration does
// not take place the program computes nothing of it, and nothing may fail: what divides, divides by
// 1 there.
void computeThere(mlir::OpBuilder &b, mlir::scf::ForOp loop, const Slice &slice,
                  const OtherIteration &there, mlir::IRMapping &map);

// What a carried value of a slice is in the iteration after the one where it is `from`.
mlir::Value nextOf(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::BlockArgument carried,
                   mlir::Value from);

// The induction variable `iterations` later, of which there are few.
mlir::Value advance(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::Value from,
                    mlir::OpFoldResult iterations);

// Whether that iteration, where the variable is `there`, takes place: it may be more than the
// variable's type holds. `from`: in an iteration that takes place, or the lower bound.
mlir::Value takesPlace(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::Value from,
                       mlir::Value there, mlir::OpFoldResult iterations);

// Can that be asked of iterations that are a value, of `most` at most?
bool takesPlaceByCount(mlir::scf::ForOp loop, int64_t most);

// Moves what the slice needs of the loop's body, but is the same in every iteration, before it.
void hoistInvariants(mlir::scf::ForOp loop, const Slice &slice);

} // namespace tessera::plan
