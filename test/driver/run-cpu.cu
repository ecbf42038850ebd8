// `tessera run` builds and runs a program; its arguments follow --, its exit status is the tool's.
// RUN: %tessera run --target=cpu %s | FileCheck %s
// RUN: not %tessera run --target=cpu %s -- one
#include <cuda_tile.h>
#include <cuda_runtime.h>
#include <cstdio>
namespace ct = cuda::tiles;

__tile_global__ void square(int *out) {
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>() + int(ct::bid().x) * 4;
  ct::store(out + i, i * i);
}

int main(int argc, char **) {
  int *device, host[8];
  cudaMalloc((void **)&device, sizeof host);
  square<<<2, 1>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int x : host)
    printf("%d ", x);
  // CHECK: 0 1 4 9 16 25 36 49
  return argc - 1;
}
