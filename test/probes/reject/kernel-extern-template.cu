// reject: an explicit instantiation declaration of a kernel
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <class T> __tile_global__ void k(T *o) { *o = 1; }
extern template __tile_global__ void k<int>(int *);
