// A header that the command line includes is rewritten like any other: without a place in the
// program, it becomes its first lines.
// RUN: %tessera run -O0 --target=cpu -include %S/Inputs/tile_first.h %s | FileCheck %s
// RUN: %if long %{ %tessera run -O0 --target=emulate -include %S/Inputs/tile_first.h %s | FileCheck %s %}
// RUN: %tessera -include cuda_tile.h -include %S/Inputs/tile_first.h %s -o - \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: %clang_plugin -include %S/Inputs/tile_first.h -S %s -o - | FileCheck %s --check-prefix=DEVICE
// TEXT: #line 1 "{{.*}}tile_first.h"
// TEXT-NOT: int twice
// TEXT: #line 1 "{{.*}}included-first.cu"
// DEVICE: .entry {{.*}}apply_simt
#include <cuda_runtime.h>
#include <cstdio>

__tile_global__ void apply(int *out) { out[0] = twice(out[0]); }

int main() {
  int *device, host = 21;
  cudaMalloc((void **)&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  apply<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host); // CHECK: 42
}
