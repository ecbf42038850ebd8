// A unit with checks and one without in one program, of the same functions of the header: each
// keeps its own, in whichever order they are linked.
//
// RUN: %tessera --target=cpu --check=bounds,nan -DCHECKED=1 %s -o %t.checked.cu
// RUN: %tessera --target=cpu -DCHECKED=0 %s -o %t.plain.cu
// RUN: %clang_cpu -O0 -g1 -DCHECKED=1 -c %t.checked.cu -o %t.checked.o
// RUN: %clang_cpu -O0 -g1 -DCHECKED=0 -c %t.plain.cu -o %t.plain.o
// RUN: %clang_cpu -x none %t.checked.o %t.plain.o %emulator -o %t.1
// RUN: %clang_cpu -x none %t.plain.o %t.checked.o %emulator -o %t.2
// RUN: %t.1 2>&1 | FileCheck %s
// RUN: %t.2 2>&1 | FileCheck %s
#include <cuda_tile.h>

#include <cstdio>

namespace ct = cuda::tiles;

#if CHECKED
#define NAME checked
#else
#define NAME plain
#endif

__tile_global__ void NAME(const float *a, float *b, int n) {
  ct::partition_view from{ct::tensor_span{a, ct::extents(n)}, ct::shape<8>{}};
  ct::partition_view to{ct::tensor_span{b, ct::extents(8)}, ct::shape<8>{}};
  auto x = from.load(1);
  to.store(x / x, 0);
}

void start_plain(const float *a, float *b, int n);

#if CHECKED
// CHECK: plain: no error
// CHECK: whole: no error
// CHECK: two-units.cu:[[#@LINE-9]]: tessera check: load of 'x' from 'a':
// CHECK: checked: device-side assert triggered
int main() {
  float *p;
  cudaMallocManaged(&p, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    p[i] = 1;
  start_plain(p, p + 32, 12);
  std::printf("plain: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  checked<<<1, 1>>>(p, p + 32, 16);
  std::printf("whole: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  std::fflush(stdout);
  checked<<<1, 1>>>(p, p + 32, 12);
  std::printf("checked: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
#else
void start_plain(const float *a, float *b, int n) { plain<<<1, 1>>>(a, b, n); }
#endif
