// The grid: which tile block this is, and how many there are. [tile:general_operations]
#pragma once

#include "primitives.h"

namespace cuda::tiles {

// The index of this tile block.
TESSERA_API uint3 bid() noexcept { return {prim::bid<0>(), prim::bid<1>(), prim::bid<2>()}; }

// The number of tile blocks along each axis.
TESSERA_API dim3 num_blocks() noexcept {
  return {prim::num_blocks<0>(), prim::num_blocks<1>(), prim::num_blocks<2>()};
}

} // namespace cuda::tiles
