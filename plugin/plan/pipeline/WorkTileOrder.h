// The order in which the blocks of a persistent kernel take work tiles that take different times.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// Along one axis of the grid (0, 1, 2 = x, y, z) the time changes; the other axes repeat it.
struct WorkTileOrder {
  int64_t axis;
  bool isLongestFirst; // is the work tile at 0 the longest, not the last one?
};

// Does the number of iterations of one of these loops depend on the block, as under a causal mask?
bool dependOnBlock(llvm::ArrayRef<mlir::scf::ForOp> loops);

// The order of a kernel's work tiles, for loops one after the other that depend on the block. None
// where the times change along several axes, under a threadblock swizzle, or where the program
// could observe the order.
std::optional<WorkTileOrder> orderOf(llvm::ArrayRef<mlir::scf::ForOp> loops);

} // namespace tessera::plan
