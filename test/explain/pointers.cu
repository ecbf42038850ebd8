// What explain says of operands that are read by tiles of pointers: copied ahead where neighbours
// are known to lie side by side along a row, else waited for.
// RUN: %tessera explain %s 2>&1 | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
template <int M, int N> using tile = ct::tile<float, ct::shape<M, N>>;
template <int M, int N> using indices = ct::tile<int, ct::shape<M, N>>;

__tile_global__ void product(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             const int *__restrict__ places, float *__restrict__ c, int n, int k) {
  auto columns = ct::iota<indices<1, 128>>();
  auto sum = ct::zeros<tile<128, 128>>();
  for (int i = 0; i < k; i += 64) {
    // CHECK: [[#@LINE+1]]:{{.*}}copies a tile of __nv_bfloat16, 128x64 through pointers to shared memory ahead of its use, in accesses of {{[0-9]+}} bytes per thread
    auto x = ct::load(a + (ct::iota<indices<128, 1>>() * 4096 + ct::iota<indices<1, 64>>() + i));
    // CHECK: [[#@LINE+2]]:{{.*}}the loop waits for this tile of __nv_bfloat16, 64x128: its pointers are not known to be contiguous along a row
    auto y =
        ct::load(b + (ct::iota<indices<64, 1>>() * 4096 + i * 4096 + ct::load(places + columns)));
    sum = ct::mma(x, y, sum);
  }
  ct::store(c + (ct::iota<indices<128, 1>>() * 128 + columns), sum);
}
