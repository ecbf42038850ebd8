// Products that are made as their transposes.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// Does a loop carry the sum alone, and does the second operand alone run across K, of elements that
// wgmma takes along K, so that the transposed product takes it from registers?
bool isWorthSwapping(tile::MmaOp multiply);

// Where memory runs along, in an operand that is a matrix of a view, converted perhaps.
std::optional<unsigned> contiguousDimension(mlir::Value operand);

} // namespace tessera::plan
