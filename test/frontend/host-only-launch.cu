// A launch that the host's pass alone sees is rewritten, too.
// RUN: %tessera -o - %s | grep -v CHECK | FileCheck %s
// RUN: %tessera run -O0 --target=cpu %s
// RUN: %if long %{ %tessera run -O0 --target=emulate %s %}
// RUN: %clang_plugin -S %s -o /dev/null
// RUN: %if long %{ %clang_host -S %s -o /dev/null %}
#include <cuda_tile.h>
#include <cuda_runtime.h>

#ifdef __CUDA_ARCH__
#define ON_HOST(...)
#else
#define ON_HOST(...) __VA_ARGS__
#endif

__tile_global__ void kernel(int *out, int value) { out[0] = value; }

int main() {
  int *device, host = 0;
  cudaMalloc((void **)&device, sizeof host);
#ifndef __CUDA_ARCH__
  // CHECK: (__tessera_configure(1, 1), kernel(device, 1));
  kernel<<<1, 1>>>(device, 1);
#endif
  // CHECK: ON_HOST((__tessera_configure(1), kernel(device, 2));)
  ON_HOST(kernel<<<1>>>(device, 2);)
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  return host != 2;
}
