// The grid: the index of this tile block, and the number of blocks. [tile:general_operations]
#pragma once

#include "primitives.h"

namespace cuda::tiles {

// The index of this tile block.
TESSERA_API uint3 bid() noexcept { return {__prim::bid<0>(), __prim::bid<1>(), __prim::bid<2>()}; }

// The number of tile blocks along each axis.
TESSERA_API dim3 num_blocks() noexcept {
  return {__prim::num_blocks<0>(), __prim::num_blocks<1>(), __prim::num_blocks<2>()};
}

} // namespace cuda::tiles
