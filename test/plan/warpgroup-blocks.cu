// Blocks of 64 rows that read the same in their loops: a kernel beside the program's computes two
// of them side by side, each by a consumer warpgroup. Loops that begin and end elsewhere for each
// of the two go on, in the producer warp, over the iterations of both.
// DEFINE: %{kernels} = sed -n '/^namespace tessera::kernels/,$p'
// RUN: %tessera --arch=sm_90a -o - %s | %{kernels} | FileCheck %s
// RUN: env TESSERA_PLAN_WITHOUT=coarsen %tessera --arch=sm_90a -o - %s | %{kernels} \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

// WITHOUT-NOT: warpgroup_index

template <int Rows, int D, class T> __tile__ auto rows_of(T *p, int rows) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{rows, ct::integral_constant<D>{}}},
      ct::shape<Rows, D>{}};
}

// The numbers of tiles that the loop carries beside its counter are no obstacle.
// CHECK: 2 x 1 tile blocks at a time
// CHECK-NEXT: __launch_bounds__(384, 1) attention_64_128_coarsened_simt
// The rings have two readers, and each tile block a stage for its queries.
// CHECK: init_pipeline_barriers<{{[34]}}, 1, 2>
// CHECK: init_pipeline_barriers<{{[34]}}, 1, 2>
// CHECK: init_pipeline_barriers<2, 1, 1>
// CHECK: setmaxnreg_dec
// CHECK: const int pair = block_at<0, 2, 1>(grid, work_tile);
// CHECK: const int end = max(
// CHECK: producer_acquire(barriers_3, 0);
// CHECK: producer_acquire(barriers_3, 1);
// CHECK: for (int i = 0; i < end; i += 64)
// CHECK: setmaxnreg_inc
// CHECK: + warpgroup_index();
// CHECK: const bool is_inside =
// CHECK: consumer_wait(barriers_3, warpgroup_index());
// CHECK: for (
// The iterations that only the neighbour has.
// CHECK: #pragma unroll 1
// CHECK-NEXT: for (
// CHECK-NEXT: consumer_wait(barriers,
// CHECK: barrier_of_warps(4 + warpgroup_index(), 128);
// CHECK: consumer_release(barriers,
// CHECK: if (is_inside)
template <int M, int D>
__tile_global__ void attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, bf16 *__restrict__ out, int rows,
                               int keys) {
  const int block = ct::bid().x;
  auto query = rows_of<M, D>(q, rows).load_masked(block, 0);
  auto k_tiles = rows_of<64, D>(k, keys), v_tiles = rows_of<64, D>(v, keys);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  int number = 0;
  for (int i = 0; i < (block + 1) * M; i += 64) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(number, 0)),
                     ct::zeros<ct::tile<float, ct::shape<M, 64>>>());
    sum = ct::mma(ct::element_cast<bf16>(ct::exp2(s)), v_tiles.load_masked(number, 0), sum);
    ++number;
  }
  rows_of<M, D>(out, rows).store_masked(ct::element_cast<bf16>(sum), block, 0);
}

// With 64 columns threads compute as long as tensor cores multiply: blocks take turns.
// CHECK-NOT: attention_64_64_coarsened

void go(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *out, int n) {
  attention<64, 128><<<n / 64, 1>>>(q, k, v, out, n, n);
  attention<64, 64><<<n / 64, 1>>>(q, k, v, out, n, n);
}
