// K in the order in which the threads of an accumulator have it.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// The tile with dimension `dim` in the order of accumulators: of each 16 elements 0 1 8 9 2 3 10 11
// 4 5 12 13 6 7 14 15. A thread that has 0 1 and 8 9 of a row has four neighbours then.
mlir::Value inOrderOfAccumulators(mlir::OpBuilder &b, mlir::Value tile, unsigned dim);

// The tile that inOrderOfAccumulators has taken, perhaps in another shape, or null. Nothing else
// uses what is in between.
mlir::Value beforeOrderOfAccumulators(mlir::Value tile, unsigned dim);

} // namespace tessera::plan
