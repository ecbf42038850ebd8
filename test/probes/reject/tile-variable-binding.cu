// reject: a structured binding marked __tile__
#include <cuda_tile.h>
namespace ct = cuda::tiles;
struct P { int a, b; };
__tile__ auto [x, y] = P{1, 2};
__tile_global__ void k(int *o, int n) { *o = x; }
