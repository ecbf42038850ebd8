// Floats that become tf32 are rounded by bulk copies, also where the kernel makes the tensor maps
// and other blocks have room on the SM. And an operand that is computed gets a ring with the other
// one, although it takes the room of a second block, unless the program hints at one.
// RUN: %tessera --arch=sm_90a -o - %s | grep -v '^#line\|CHECK' | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T, int K>
__tile__ void add_tiles(const float *const *in, float *out, int n, int row, int first, int step) {
  auto x = ct::partition_view{ct::tensor_span{in[0], ct::extents{n, n}}, ct::shape<128, K>{}};
  auto y = ct::partition_view{ct::tensor_span{in[1], ct::extents{n, n}}, ct::shape<K, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = first; i < n / K; i += step)
    sum = ct::mma(ct::element_cast<T>(x.load_masked(0, i)),
                  ct::element_cast<T>(y.load_masked(i, 0)), sum);
  ct::partition_view{ct::tensor_span{out, ct::extents{n, n}}, ct::shape<128, 128>{}}.store_masked(
      sum, row, 0);
}

// CHECK: __launch_bounds__(256, 2) two_blocks_simt(const float *const *__restrict__
// CHECK: make_tensor_map<0, shared_128x32>
// CHECK: make_tensor_map<1, shared_32x128>
// CHECK: Pipeline: 3 stages x 32 KiB, prefetch distance 2, TMA where views are aligned.
// CHECK-NEXT: shared memory allows 2 blocks per SM
// CHECK: round_copied<256>(
__tile_global__ void two_blocks(const float *const *__restrict__ in, float *__restrict__ out,
                                int n) {
  add_tiles<__nv_tf32, 32>(in, out, n, 0, 0, 1);
}

// Every fourth K tile: these are not divided.
// CHECK: __launch_bounds__(256) split_k_simt(const float *const *__restrict__
// CHECK: Pipeline: 3 stages x 64 KiB, prefetch distance 2, TMA where views are aligned.
__tile_global__ void split_k(const float *const *__restrict__ in, float *__restrict__ out, int n) {
  add_tiles<__nv_tf32, 64>(in, out, n, ct::bid().x, ct::bid().x, 4);
}

// Both operands are computed: without their ring there is none.
// CHECK: __launch_bounds__(256) of_halves_simt(const float *const *__restrict__
// CHECK: Pipeline: 3 stages x 64 KiB, prefetch distance 2, TMA where views are aligned.
__tile_global__ void of_halves(const float *const *__restrict__ in, float *__restrict__ out,
                               int n) {
  add_tiles<__half, 64>(in, out, n, 0, 0, 1);
}

// CHECK: __launch_bounds__(256) one_block_simt(const float *const *__restrict__
// CHECK: Pipeline: 3 stages x 48 KiB, prefetch distance 2, TMA where views are aligned.
// CHECK-NEXT: shared memory allows 1 block per SM
// CHECK: __launch_bounds__(256, 2) two_hinted_simt(const float *const *__restrict__
// CHECK: Pipeline: 2 stages x 48 KiB, prefetch distance 1, cp.async by all threads.
// CHECK-NEXT: shared memory allows 2 blocks per SM
__tile__ void add_mixed(const float *const *as, const __nv_bfloat16 *const *bs, float *out, int n) {
  auto x = ct::partition_view{ct::tensor_span{as[0], ct::extents{n, n}}, ct::shape<128, 64>{}};
  auto y = ct::partition_view{ct::tensor_span{bs[0], ct::extents{n, n}}, ct::shape<64, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < n / 64; ++i)
    sum = ct::mma(ct::element_cast<__nv_bfloat16>(x.load_masked(0, i)), y.load_masked(i, 0), sum);
  ct::partition_view{ct::tensor_span{out, ct::extents{n, n}}, ct::shape<128, 128>{}}.store_masked(
      sum, 0, 0);
}
__tile_global__ void one_block(const float *const *__restrict__ as,
                               const __nv_bfloat16 *const *__restrict__ bs, float *__restrict__ out,
                               int n) {
  add_mixed(as, bs, out, n);
}
[[cutile::hint(0, occupancy = 2)]] __tile_global__ void
two_hinted(const float *const *__restrict__ as, const __nv_bfloat16 *const *__restrict__ bs,
           float *__restrict__ out, int n) {
  add_mixed(as, bs, out, n);
}

// Two products share a ring in turn, of which the second alone is rounded.
// CHECK: __launch_bounds__(256, 2) in_turn_simt(const float *const *__restrict__
// CHECK: Pipeline: 3 stages x 32 KiB, prefetch distance 2 K subtiles, TMA where views are aligned.
// CHECK: round_copied<256>(
__tile_global__ void in_turn(const float *const *__restrict__ in,
                             const __nv_tf32 *const *__restrict__ rounded, float *__restrict__ out,
                             int n) {
  auto tiles = [&](auto *p) {
    return ct::partition_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<128, 32>{}};
  };
  auto x = tiles(in[0]), y = tiles(in[1]);
  auto u = tiles(rounded[0]), v = tiles(rounded[1]);
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < n / 32; ++i) {
    sum = ct::mma(u.load_masked(0, i), ct::transpose(v.load_masked(0, i)), sum);
    sum = ct::mma(ct::element_cast<__nv_tf32>(x.load_masked(0, i)),
                  ct::transpose(ct::element_cast<__nv_tf32>(y.load_masked(0, i))), sum);
  }
  ct::partition_view{ct::tensor_span{out, ct::extents{n, n}}, ct::shape<128, 128>{}}.store_masked(
      sum, 0, 0);
}

int main() {}
