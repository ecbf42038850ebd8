// reject: a local array without elements
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <int N> __tile__ int f() { int a[N]; return sizeof a; }
__tile_global__ void k(int *o, int n) { *o = f<0>(); }
