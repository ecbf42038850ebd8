// reject: a hint's value is a template argument that is no integer
#include <cuda_tile.h>

template <auto N> [[cutile::hint(0, occupancy = N)]] __tile_global__ void k(int *p) { p[0] = 1; }
template __tile_global__ void k<2>(int *);
template __tile_global__ void k<2.0>(int *);
int main() {}
