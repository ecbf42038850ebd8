// reject: a local object without a size
#include <cuda_tile.h>
namespace ct = cuda::tiles;
struct S { int a[0]; };
__tile_global__ void k(int *o) { S s; *o = sizeof s; }
