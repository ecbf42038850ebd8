// When the tiles in shared memory are live, in positions of the program order, and their offsets.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// From the allocation of a tile, or a ring of tiles, to its last access; to the end of every loop
// in which it outlives an iteration.
struct SharedLifetime {
  tile::SharedAllocOp op;
  int64_t first, last;
  int64_t bytes;

  bool overlaps(const SharedLifetime &other) const {
    return first <= other.last && other.first <= last;
  }
};

llvm::SmallVector<SharedLifetime> sharedLifetimes(mlir::func::FuncOp kernel);

// Gives every shared tile its offset, so that tiles that live at the same time do not overlap.
// Returns the total bytes.
int64_t placeSharedTiles(mlir::func::FuncOp kernel);

} // namespace tessera::plan
