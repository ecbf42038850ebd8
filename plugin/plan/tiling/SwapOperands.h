// Matmuls that are computed as their transposes.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// Does a loop carry the accumulator with no other use, and does operand B alone run across K, of
// elements that wgmma takes along K, so that the transposed matmul takes it from registers?
bool isWorthSwapping(tile::MmaOp multiply);

// The contiguous dimension of an operand that is a matrix of a view, perhaps converted.
std::optional<unsigned> contiguousDimension(mlir::Value operand);

} // namespace tessera::plan
