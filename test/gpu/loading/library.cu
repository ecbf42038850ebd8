// A library with tile kernels of its own and one that the program has, too. launch_all adds 111.
#include "kernels.h"
#include <cuda_runtime.h>

static __tile_global__ void own(int *x) { x[ct::bid().x] += 100; }

extern "C" cudaError_t launch_all(int *x, cudaStream_t stream) {
  add<64><<<2, 1, 0, stream>>>(x, 1);
  int by = 10;
  void *arguments[] = {&x, &by};
  cudaError_t error = cudaLaunchKernel((const void *)add<32>, 4, 1, arguments, 0, stream);
  own<<<128, 1, 0, stream>>>(x);
  return error == cudaSuccess ? cudaGetLastError() : error;
}
