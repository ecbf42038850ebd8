// May a read of global memory move earlier or later? The only criterion by which reads are moved.
//
// A block is one logical thread: a read returns what the block's last store to that memory has
// stored. It may pass every store to other memory, including atomics of relaxed order, which
// guarantee nothing about other addresses. No read passes an op that orders the block's accesses
// with those of others.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"

namespace tessera::plan {

// What prevents a read from moving; of several the last of these.
enum class ReadObstacle {
  None,
  Alias,   // a store through another pointer; were one of the two __restrict__ there would be none
  Written, // a store through the same pointer, or one with an unknown base
  Order,   // a volatile access, an atomic whose order is not relaxed, an unknown op
};

// Of moving `read` over `op` and all that is nested in it.
ReadObstacle obstacleOfMove(mlir::Operation *read, mlir::Operation *op);

// Of making a read of the loop's body some iterations ahead. Boxes of one view that the loop's
// variable keeps apart are other memory.
ReadObstacle obstacleAhead(mlir::Operation *read, mlir::scf::ForOp loop);

// Whether a read may move to a later op of its block.
bool memoryStaysFrom(mlir::Operation *read, mlir::Operation *until);

} // namespace tessera::plan
