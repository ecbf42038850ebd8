// [tile:atomics] What functions of a library do that tile code cannot is said of their calls.
// options: --extensions
#include <cstdio>
#include <cuda_tile.h>

#include "library.cuh"

namespace ct = cuda::tiles;

__tile_global__ void counts(int *p) {
  p[0] = library::counted(p + 1);
  //     ^ error: not supported yet: an atomic operation that is not from the tile library; use
  //       cuda::tiles::atomic_add or a similar function [tile:atomics/atomic]
  // right: p[0] = ct::atomic_add(p + 1, 1, ct::memory_order_relaxed_t{});
}
__tile_global__ void says(int *p) {
  library::say(p[0] ? "%d\n" : "%x\n", p[0]);
//^ error: not supported yet: printf with a format that is not a string literal; write the format in
//  the call [tile:output/print-format]
  // right: library::say("%d\n", p[0]);
}
