// Products that are made as their transposes.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// Does a loop carry the sum alone, and does the second factor alone run across K, of elements that
// wgmma takes along K, so that the transposed product takes it from registers?
bool isWorthSwapping(tile::MmaOp multiply);

} // namespace tessera::plan
