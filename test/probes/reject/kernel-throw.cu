// reject: an exception specification of a kernel
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(int *o) throw() { *o = 1; }
