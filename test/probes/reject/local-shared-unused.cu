// reject: a __shared__ local variable that nothing names
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(int *o) { __shared__ int a; *o = 1; }
