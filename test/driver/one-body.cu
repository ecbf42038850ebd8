// On a CPU a function of host and tile code has one body, the host's; emulated kernels have that of
// a GPU.
// RUN: %tessera run --target=cpu %s | FileCheck %s --check-prefix=CPU
// RUN: %tessera run --target=emulate %s | FileCheck %s --check-prefix=EMULATE
#include <cuda_runtime.h>
#include <cuda_tile.h>

#include <cstdio>

__host__ __device__ __tile__ int body() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 0;
#endif
}
__tile_global__ void tile(int *p) { p[0] = body(); }

// CPU: kernel 0, host 0
// EMULATE: kernel 1, host 0
int main() {
  int *p, kernel;
  cudaMalloc(reinterpret_cast<void **>(&p), sizeof *p);
  tile<<<1, 1>>>(p);
  cudaMemcpy(&kernel, p, sizeof kernel, cudaMemcpyDeviceToHost);
  printf("kernel %d, host %d\n", kernel, body());
}
