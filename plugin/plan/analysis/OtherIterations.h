// Values of a loop's body as they are in another iteration.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::plan {

// The ops that values of a loop's body are computed from, besides the induction variable and values
// from outside the loop.
struct Slice {
  llvm::SetVector<mlir::Operation *> ops;               // in program order: pure ones, and
                                                        // divisions
  llvm::SmallSetVector<mlir::BlockArgument, 4> carried; // each has a constant stride
};

// Adds what `value` needs; false if it needs a value that is known in its own iteration only, or
// one that must not be computed where there is no such iteration.
bool collectSlice(mlir::Value value, mlir::scf::ForOp loop, Slice &slice);

// The slice of all these values, which have slices.
Slice sliceOf(mlir::ValueRange values, mlir::scf::ForOp loop);

// Another iteration, seen from where its values are computed.
struct OtherIteration {
  mlir::Value variable; // the induction variable there
  mlir::Value exists;   // whether it takes place
  int64_t distance;     // iterations after the current one, or, before the loop, after the first
  bool isBeforeLoop;    // the values are computed before the loop
};

// Computes the slice for that iteration, as far as `map` does not have it yet. Where the iteration
// does not exist the program computes none of it, and nothing may fail: a division divides by 1
// there.
void computeThere(mlir::OpBuilder &b, mlir::scf::ForOp loop, const Slice &slice,
                  const OtherIteration &there, mlir::IRMapping &map);

// The value of a carried value of a slice one iteration after it is `from`.
mlir::Value nextOf(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::BlockArgument carried,
                   mlir::Value from);

// The induction variable a few iterations later.
mlir::Value advance(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::Value from,
                    mlir::OpFoldResult iterations);

// Whether the iteration exists in which the variable is `there`, which may exceed the variable's
// type. `from`: in an iteration that exists, or the lower bound.
mlir::Value iterationExists(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::Value from,
                            mlir::Value there, mlir::OpFoldResult iterations);

// Can iterationExists test a run-time number of iterations, of at most `most`?
bool canTestByCount(mlir::scf::ForOp loop, int64_t limit);

// Moves loop-invariant ops of the slice before the loop.
void hoistInvariants(mlir::scf::ForOp loop, const Slice &slice);

} // namespace tessera::plan
