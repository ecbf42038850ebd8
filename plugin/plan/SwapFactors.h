// Products that are made as their transposes.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// Does the second factor alone run across K, of elements that wgmma takes along K, and is it taken
// from registers by the transposed product?
bool isWorthSwapping(tile::MmaOp multiply);

} // namespace tessera::plan
