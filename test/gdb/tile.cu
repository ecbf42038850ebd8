// Under gdb a tile of a program on the CPU is a table under the programmer's name; the program
// brings what gdb needs for that, and stepping stays in the program.
//
// RUN: %tessera --target=cpu %s -o %t.cpu.cu
// RUN: %clang_cpu -g -O0 %t.cpu.cu %emulator -o %t
// RUN: gdb -nx -batch -iex "add-auto-load-safe-path %t" -iex "set debuginfod enabled off" \
// RUN:   -ex "break here" -ex run -ex up -ex "info locals" -ex "print narrow" -ex "next" -ex "next" \
// RUN:   %t 2>&1 | FileCheck %s
#include <cuda_tile.h>

#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ void here() {}

__tile_global__ void scale(const float *a, float *b) {
  auto from = ct::partition_view(ct::tensor_span(a, ct::extents(4_ic, 8_ic)), ct::shape<4, 8>{});
  auto x = from.load(0, 0);
  auto narrow = ct::element_cast<__half>(ct::sum<1>(x) * 0.5f);
  auto big = x >= 30.0f;
  here();
  // CHECK-LABEL: here
  // CHECK: x = tile<float, 4x8>
  // CHECK-NEXT:          0   1   2   3   4   5   6   7
  // CHECK-NEXT:     0   -1   1   2   3   4   5   6   7
  // CHECK-NEXT:     1    8   9  10  11  12  13  14  15
  // CHECK-NEXT:     2   16  17  18  19  20  21  22  23
  // CHECK-NEXT:     3   24  25  26  27  28  29  30  31
  // CHECK: narrow = tile<__half, 4x1>
  // CHECK: big = tile<bool, 4x8>
  // CHECK: 3{{.*}}false   true   true
  // CHECK: $1 = tile<__half, 4x1>
  // CHECK-NEXT:             0
  // CHECK-NEXT:     0    13.5
  // CHECK-NEXT:     1      46
  // CHECK-NEXT:     2      78
  // CHECK-NEXT:     3     110
  auto y = x * 2.0f;
  // CHECK: auto y = x * 2.0f;
  // CHECK: auto z = y + 1.0f;
  auto z = y + 1.0f;
  ct::store(b + ct::iota<ct::tile<int, ct::shape<32>>>(), ct::reshape<ct::shape<32>>(z));
}

int main() {
  float *p;
  cudaMallocManaged(&p, 64 * sizeof(float));
  for (int i = 0; i < 32; ++i)
    p[i] = i ? float(i) : -1;
  scale<<<1, 1>>>(p, p + 32);
  return cudaDeviceSynchronize() != cudaSuccess;
}
