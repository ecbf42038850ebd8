// [tile:specifiers] Spellings of nvcc's behind a condition that one pass meets.
#include <cuda_runtime.h>
#include <cuda_tile.h>

__tile_global__ void twice(int *x) { x[0] *= 2; }
#ifndef __CUDA_ARCH__
__host__ __tile__ int of_host(int x);
  int of_host(int x) { return x; }
//^ error: not supported yet: under conditions that only one of the program's parses meets, this
//  file declares a __tile__ function without its specifiers, or launches with lists; write the
//  specifiers and dim3 [tile:specifiers/spelled-by-one-parse]
  // right: __host__ __tile__ int of_host(int x) { return x; }
#endif
void launch(int *p) {
#ifndef __CUDA_ARCH__
  twice<<<1, 1>>>(p);
#endif
}
