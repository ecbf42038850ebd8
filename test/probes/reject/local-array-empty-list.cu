// reject: an array of an empty list
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(int *o) { int a[] = {}; *o = sizeof a; }
