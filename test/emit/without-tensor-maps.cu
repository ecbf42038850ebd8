// TESSERA_EMULATE_MAPS=0 is a driver that makes no tensor maps: the kernel copies by cp.async, as
// where a view allows no bulk copies, and computes the same. What such copies alone need is missed
// there and nowhere else: the groups that they are waited for by.
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %t.right
// RUN: env TESSERA_EMULATE_MAPS=0 %t.right
// RUN: sed '/^ *commit_group();$/d' %t.cu > %t.1.cu
// RUN: %clang_emulate %t.1.cu %emulator -o %t.wrong
// RUN: %t.wrong
// RUN: env TESSERA_EMULATE_MAPS=0 not %t.wrong 2>&1 | FileCheck %s
// CHECK: memory
#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void product(const __nv_bfloat16 *__restrict__ a,
                             const __nv_bfloat16 *__restrict__ b, float *__restrict__ c, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{64, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{64, k}}, ct::shape<64, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(as.load_masked(0, i), ct::transpose(bs.load_masked(0, i)), sum);
  ct::store(c + ct::iota<ct::tile<int, ct::shape<64, 64>>>(), sum);
}

int main() {
  constexpr int k = 320;
  __nv_bfloat16 *a, *b;
  float *c;
  cudaMallocManaged((void **)&a, 64 * k * sizeof *a);
  cudaMallocManaged((void **)&b, 64 * k * sizeof *b);
  cudaMallocManaged((void **)&c, 64 * 64 * sizeof *c);
  for (int i = 0; i < 64 * k; ++i) {
    a[i] = __nv_bfloat16(float(i % 3 - 1));
    b[i] = __nv_bfloat16(float(i % 5 - 2));
  }
  product<<<1, 1>>>(a, b, c, k);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      float right = 0;
      for (int x = 0; x < k; ++x)
        right += float((i * k + x) % 3 - 1) * float((j * k + x) % 5 - 2);
      if (c[i * 64 + j] != right)
        return std::printf("%d, %d: %g, not %g\n", i, j, c[i * 64 + j], right), 1;
    }
  return 0;
}
