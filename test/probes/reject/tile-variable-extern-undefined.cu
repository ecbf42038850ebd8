// reject: a __tile__ variable that is only declared
#include <cuda_tile.h>
namespace ct = cuda::tiles;
extern __tile__ int v;
__tile_global__ void k(int *o) { *o = v; }
