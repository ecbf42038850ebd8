// [tile:general_principles] Libraries that are made of a GPU's instructions.
// options: --target=cpu
#include <cub/block/block_reduce.cuh>
//       ^ error: not supported yet: 'cub/block/block_reduce.cuh' uses instructions of a GPU, but
//         the target has no GPU; include less of its library, or compile for a GPU
//         [tile:general_principles/device-library]
// right: #include <cuda/std/numeric>
#include <cuda_tile.h>

__tile_global__ void kernel(int *out) { *out = 3; }
