// Under gdb: tiles of each kind of element, of no dimension, in structs and in arrays; and in an
// optimised program what is left of them.
//
// RUN: %tessera --target=cpu %s -o %t.cpu.cu
// RUN: %clang_cpu -g -O0 %t.cpu.cu %emulator -o %t
// RUN: gdb -nx -batch -iex "add-auto-load-safe-path %t" -iex "set debuginfod enabled off" \
// RUN:   -ex "break here" -ex run -ex up -ex "print half" -ex "print brain" -ex "print e4" \
// RUN:   -ex "print e5" -ex "print bytes" -ex "print letters" -ex "print large" -ex "print real" \
// RUN:   -ex "print flags" -ex "print pointers" -ex "print single" -ex "print both" \
// RUN:   -ex "print all" -ex "print deep" %t 2>&1 | FileCheck %s
// RUN: %if long %{ %clang_cpu -g -O2 %t.cpu.cu %emulator -o %t.fast %}
// RUN: %if long %{ gdb -nx -batch -iex "add-auto-load-safe-path %t.fast" -iex "set debuginfod enabled off" \
// RUN:   -ex "break use" -ex run -ex "info locals" -ex "info args" %t.fast 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAST %}
#include <cuda_tile.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace ct = cuda::tiles;

using four = ct::shape<4>;

__tile__ void here() {}

// FAST: seen = {{.*}}tile<int, 4>
// FAST-NEXT: {{ +}}0   1   2   3
// FAST-NEXT: 0 {{ *}}-3  -2  -1   0
// FAST-NOT: Traceback
__tile__ [[gnu::noinline]] void use(const ct::tile<int, four> &seen, int *p) {
  ct::store(p + ct::iota<ct::tile<int, four>>(), seen);
}

struct pair {
  ct::tile<int, ct::shape<2>> first;
  int second;
};

__tile_global__ void kernel(float *p, int *q) {
  auto i = ct::iota<ct::tile<int, four>>() - 3;
  auto half = ct::element_cast<__half>(i);
  auto brain = ct::element_cast<__nv_bfloat16>(i);
  auto e4 = ct::element_cast<__nv_fp8_e4m3>(ct::element_cast<float>(i));
  auto e5 = ct::element_cast<__nv_fp8_e5m2>(ct::element_cast<float>(i));
  auto bytes = ct::element_cast<signed char>(i);
  auto letters = ct::element_cast<unsigned char>(i);
  auto large = ct::element_cast<unsigned long long>(i);
  auto real = ct::element_cast<double>(i) / 3.0;
  auto flags = i == -2;
  auto pointers = p + i;
  auto single = ct::full<ct::tile<float, ct::shape<>>>(1.5f);
  pair both = {ct::full<ct::tile<int, ct::shape<2>>>(7), 8};
  ct::tile<int, ct::shape<2>> all[2] = {both.first, both.first + 1};
  auto deep = ct::reshape<ct::shape<2, 2, 2>>(ct::iota<ct::tile<int, ct::shape<8>>>());
  here();
  use(i, q);
  // CHECK: $1 = tile<__half, 4>
  // CHECK-NEXT: {{^}}         0   1   2  3
  // CHECK-NEXT: {{^}}     0  -3  -2  -1  0
  // CHECK: $2 = tile<__nv_bfloat16, 4>
  // CHECK: 0  -3  -2  -1  0
  // CHECK: $3 = tile<__nv_fp8_e4m3, 4>
  // CHECK: 0  -3  -2  -1  0
  // CHECK: $4 = tile<__nv_fp8_e5m2, 4>
  // CHECK: 0  -3  -2  -1  0
  // CHECK: $5 = tile<signed char, 4>
  // CHECK: 0  -3  -2  -1  0
  // CHECK: $6 = tile<unsigned char, 4>
  // CHECK: 0  253  254  255  0
  // CHECK: $7 = tile<unsigned long long, 4>
  // CHECK: 0  18446744073709551613  18446744073709551614  18446744073709551615  0
  // CHECK: $8 = tile<double, 4>
  // CHECK: 0  -1  -0.666667  -0.333333  0
  // CHECK: $9 = tile<bool, 4>
  // CHECK: 0  false  true  false  false
  // CHECK: $10 = tile<float *, 4>
  // CHECK: 0  0x{{[0-9a-f]+}}  0x{{[0-9a-f]+}}  0x{{[0-9a-f]+}}  0x{{[0-9a-f]+}}
  // CHECK: $11 = tile<float, scalar>
  // CHECK: 0  1.5
  // CHECK: $12 = {first = tile<int, 2>
  // CHECK: 0  7  7
  // CHECK-SAME: second = 8}
  // CHECK: $13 = {tile<int, 2>
  // CHECK: 0  7  7
  // CHECK-SAME: tile<int, 2>
  // CHECK: 0  8  8}
  // CHECK: $14 = tile<int, 2x2x2>
  // CHECK: [1]
  // CHECK: 0  4  5
  // CHECK: 1  6  7
}

int main() {
  float *p;
  cudaMallocManaged(&p, 64 * sizeof(float));
  kernel<<<1, 1>>>(p, reinterpret_cast<int *>(p));
  return cudaDeviceSynchronize() != cudaSuccess;
}
