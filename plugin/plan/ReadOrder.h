// May a read of global memory be made earlier, or later, than the program makes it? The one notion
// by which reads are moved.
//
// A block is one logical thread: a read gives what the block's last store to that memory has
// stored. It may pass every store to other memory, atomics of relaxed order included, which promise
// nothing of other addresses. What orders the block's accesses with those of others no read passes.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"

namespace tessera::plan {

// What keeps a read where it is; of several the last of these.
enum class ReadObstacle {
  None,
  Alias,   // a store through another pointer; were one of the two __restrict__ there would be none
  Written, // a store through the same pointer, or one that nobody knows the base of
  Order,   // a volatile access, an atomic whose order is not relaxed, what nobody knows
};

// Of moving `read` over `op` and all that is nested in it.
ReadObstacle obstacleOfMove(mlir::Operation *read, mlir::Operation *op);

// Of making a read of the loop's body some iterations ahead. Boxes of one view that the loop's
// variable keeps apart are other memory.
ReadObstacle obstacleAhead(mlir::Operation *read, mlir::scf::ForOp loop);

// A read may as well be made at a later op of its block.
bool memoryStaysFrom(mlir::Operation *read, mlir::Operation *until);

} // namespace tessera::plan
