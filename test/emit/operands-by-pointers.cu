// Factors that a loop reads by tiles of pointers are copied ahead by what is known of neighbours,
// while the multiply of this iteration is at work.
// RUN: %tessera --arch=sm_90a %s -o - | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
template <int Rows, int Columns> using indices = ct::tile<int, ct::shape<Rows, Columns>>;

// CHECK-LABEL: {{^}}// product, from
// CHECK: Pipeline: 3 stages x 32 KiB, prefetch distance 2, cp.async by all threads.
// CHECK-NEXT: wgmma is awaited in its iteration, after the next loads are issued; shared memory allows 2 blocks per SM.
// CHECK: wait_group<1>();
// CHECK-NEXT: fence_shared();
// CHECK-NEXT: barrier();
// CHECK: mma_start(shared_slot<shared_128x64>(0, read), shared_slot<shared_64x128>({{.*}}, read), sum_
// CHECK: if ({{.*}}) copy_async<8, alignment::proven, masks::shared>(shared_slot<shared_128x64>(0, fill), [[POINTERS:.*]], {{.*}});
// CHECK: if ({{.*}}) copy_async<8, alignment::guarded>(shared_slot<shared_64x128>({{.*}}, fill), [[OTHERS:.*]], {{.*}});
// CHECK: commit_group();
// CHECK-NEXT: mma_wait<0>();
// CHECK-NOT: store_shared
__tile_global__ void product(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  a = ct::assume_aligned<16>(a);
  k = ct::assume_divisible<8>(k);
  auto row = ct::iota<indices<128, 1>>();
  auto down = ct::iota<indices<64, 1>>();
  auto along = ct::iota<indices<1, 64>>();
  auto column = ct::iota<indices<1, 128>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < k; i += 64) {
    auto x = ct::load_masked(a + (row * k + (along + i)), row < m && along + i < k, bf16(0.0f));
    auto y = ct::load_masked(b + ((down + i) * n + column), down + i < k && column < n, bf16(0.0f));
    sum = ct::mma(x, y, sum);
  }
  ct::store_masked(c + (row * n + column), sum, row < m && column < n);
}
