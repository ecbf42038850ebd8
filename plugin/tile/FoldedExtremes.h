// Folds that are argument reductions.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::tile {

struct FoldedExtreme {
  unsigned values; // the number of the tile of values; the other has the indices
  bool isMaximum, isUnsigned;
};

// The region keeps the largest value, or the smallest, with its index; of equal ones the lowest
// index, and a number before NaN.
std::optional<FoldedExtreme> extremeOf(FoldOp op);

} // namespace tessera::tile
