// reject: alloca in a kernel
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(int *o, int n) { int *a = (int *)__builtin_alloca(n * 4); a[0] = 1; *o = a[0]; }
