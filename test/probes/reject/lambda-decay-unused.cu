// reject: a lambda that decays to a pointer
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(int *o) { auto l = +[](int a) { return a; }; *o = 1; }
