// Grid-stride loops: a block takes tile after tile, with the number of blocks as its step.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// Is the number of blocks the step, or is the variable multiplied by it: `first + i * blocks`?
bool stepsByGrid(mlir::scf::ForOp loop);

// Is the op such a loop, or in one? Launches give such a kernel a block for each SM, or fewer.
bool isInGridStride(mlir::Operation *op);

// The same of programs that are told the number of blocks, or that fix it: the loop begins at the
// block's index and has another step than 1.
bool mayBeInGridStride(mlir::Operation *op);

} // namespace tessera::plan
