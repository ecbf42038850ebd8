// Tile code in a header that is marked as one of the system is rewritten like the user's own, and
// so are launches of tile kernels in headers without tile code.
// RUN: %tessera run -O0 --target=cpu -I%S %s | FileCheck %s
// RUN: %if long %{ %tessera run -O0 --target=emulate -I%S %s | FileCheck %s %}
// RUN: %clang_plugin -I%S -S %s -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %clang_host -I%S -S %s -o /dev/null
#include <cuda_tile.h>
#include <Inputs/system_launch.h>
#include <cuda_runtime.h>
#include <cstdio>

struct twice {
  __tile__ int operator()(int x) const { return 2 * x; }
};
// DEVICE: .entry {{.*}}apply_twice_simt

int main() {
  int *device, host = 21;
  cudaMalloc((void **)&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  apply<<<1, 1>>>(device, twice{});
  apply_once(device, twice{});
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  // CHECK: 84
  printf("%d\n", host);
}
