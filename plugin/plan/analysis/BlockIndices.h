// What depends on the block's index in the grid.
#pragma once

#include "mlir/IR/Value.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/SetVector.h"

namespace tessera::plan {

using BlockIndices = llvm::SmallSetVector<tile::BlockIndexOp, 4>;

// The block's indices that these values are computed from, also from one iteration to the next. The
// number of an iteration is none of them, whatever the loop's bounds are.
BlockIndices blockIndicesOf(mlir::ValueRange values);

// Are these values computed from the block's index along this axis?
bool dependOnAxis(mlir::ValueRange values, int64_t axis);

} // namespace tessera::plan
