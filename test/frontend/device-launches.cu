// What a GPU runs launches no kernel, also beside launches outside of functions. The language
// server, which parses for the host alone, does not tell of them.
// RUN: not %tessera check %s 2>&1 | FileCheck %s
#include <cuda_tile.h>
__tile_global__ void kernel(int *p) { p[0] = 1; }
__global__ void simt(int *p) { p[0] = 1; }
int *memory;
int outside(int n = (kernel<<<1, 1>>>(memory), 1));
using type = decltype(kernel<<<1, 1>>>(memory));
// CHECK: :[[#@LINE+1]]:{{.*}} error: a kernel is launched from device code
__device__ void device(int *p) { simt<<<1, 1>>>(p); }
// CHECK: :[[#@LINE+1]]:{{.*}} error: a kernel is launched from device code
__host__ __device__ void both(int *p) { kernel<<<1, 1>>>(p); }
