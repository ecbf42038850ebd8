// [tile:kernels] Kernels that macros put together.
#include <cuda_tile.h>

#define BEGIN __tile_global__ void kernel(int *p) {
#define END }

namespace of_macros {
  BEGIN *p = 1; END
//^ error: not supported yet: macros form this tile code in a way that cannot be rewritten; write
//  the kernel or the launch in one macro, or without macros [tile:kernels/kernel-of-macros]
  // right: __tile_global__ void kernel(int *p) { *p = 1; }
} // namespace of_macros
