// reject: a static __device__ local variable
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(int *o) { static __device__ int a; *o = 1; }
