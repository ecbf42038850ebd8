// reject: __tile__ before __constant__
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile__ __constant__ int v = 1;
__tile_global__ void k(int *o) { *o = v; }
