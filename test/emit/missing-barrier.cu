// The emulator is the judge of the plan's barriers: emitted kernels run without a report, and every
// barrier that is taken out of the text of these is reported as a race, with exit status 86.
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %t.right
//
// The reduction: between the warps' partial results and the reading of all of them; and at the head
// of the loop, where one iteration writes what the last one read.
// RUN: awk '/^ *barrier\(\);$/ && ++n == 1 { next } { print }' %t.cu > %t.1.cu
// RUN: awk '/^ *barrier\(\);$/ && ++n == 2 { next } { print }' %t.cu > %t.2.cu
// The ring of a pipelined loop of two warpgroups: between the multiply of both and the copies that
// one of their threads starts into the stage that was multiplied.
// RUN: awk '/^ *barrier\(\);$/ && ++n == 3 { next } { print }' %t.cu > %t.3.cu
//
// RUN: grep -c '^ *barrier();$' %t.cu | FileCheck %s --check-prefix=ALL
// RUN: grep -c '^ *barrier();$' %t.1.cu %t.2.cu %t.3.cu | FileCheck %s --check-prefix=ONE-LESS
// ALL: 5
// ONE-LESS-COUNT-3: .cu:4
//
// RUN: %clang_emulate %t.1.cu %emulator -o %t.1
// RUN: %if long %{ %clang_emulate %t.2.cu %emulator -o %t.2 %}
// RUN: %clang_emulate %t.3.cu %emulator -o %t.3
// RUN: sh -c '%t.1 2> %t.1.report; test $? = 86'
// RUN: %if long %{ sh -c '%t.2 2> %t.2.report; test $? = 86' %}
// RUN: sh -c '%t.3 2> %t.3.report; test $? = 86'
// RUN: FileCheck %s --input-file=%t.1.report --check-prefix=ROWS
// RUN: %if long %{ FileCheck %s --input-file=%t.2.report --check-prefix=ROWS %}
// RUN: FileCheck %s --input-file=%t.3.report --check-prefix=PRODUCT
// ROWS: race in shared memory: {{.*}}centre
// PRODUCT: race in shared memory: {{.*}}product
#include <cuda_tile.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
namespace ct = cuda::tiles;

__tile_global__ void centre(float *x, int rows) {
  auto columns = ct::iota<ct::tile<int, ct::shape<4096>>>();
  for (int row = 0; row < rows; ++row) {
    auto values = ct::load(x + (columns + row * 4096));
    ct::store(x + (columns + row * 4096),
              values - ct::sum(values, ct::integral_constant<0>{}) * (1.0f / 4096));
  }
}

__tile_global__ void product(const __half *__restrict__ a, const __half *__restrict__ b,
                             float *__restrict__ c, int k) {
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{128, k}}, ct::shape<128, 64>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, 128}}, ct::shape<64, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < k / 64; ++i)
    sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{128, 128}}, ct::shape<128, 128>{}}
      .store_masked(sum, 0, 0);
}

int main() {
  float *x, *c;
  __half *a;
  cudaMalloc((void **)&x, 3 * 4096 * sizeof *x);
  cudaMalloc((void **)&c, 128 * 128 * sizeof *c);
  cudaMalloc((void **)&a, 128 * 256 * sizeof *a);
  cudaMemset(x, 0, 3 * 4096 * sizeof *x);
  cudaMemset(a, 0, 128 * 256 * sizeof *a);
  centre<<<1, 1>>>(x, 3);
  product<<<1, 1>>>(a, a, c, 256);
  return cudaDeviceSynchronize() != cudaSuccess;
}
