// reject: a complex number as a parameter
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(float *o, _Complex float c) { *o = __real__ c; }
