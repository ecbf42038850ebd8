// A view is no value: its extents, strides and start are operands of each access, what is static is
// repeated as attributes.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-LABEL: func.func @{{.*}}product
// CHECK: %[[C:.*]] = scf.for %[[I:.*]] = %c0_i32 to %{{.*}} step %c1_i32 iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<64x64xf32>) : i32 {
// CHECK: %[[START:.*]] = arith.muli %[[I]], %c32_i32
// CHECK: %[[A:.*]] = tile.view_load %arg0 extents(%arg3, %arg4) strides(%arg4, %c1_i32) starts(%{{.*}}, %[[START]]) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
// CHECK: %[[B:.*]] = tile.view_load %arg1 extents(%arg4, %c64_i32)
// CHECK: tile.mma %[[A]], %[[B]], %[[ACC]] : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
// CHECK: tile.view_store %[[C]], %arg2
__tile_global__ void product(const __half *a, const __half *b, float *c, int m, int k) {
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 32>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, ct::integral_constant<64>{}}},
                                    ct::shape<32, 64>{}};
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{m, ct::integral_constant<64>{}}},
                                    ct::shape<64, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, (k + 31) / 32))
    sum = ct::mma(a_tiles.load_masked(ct::bid().x, i), b_tiles.load_masked(i, 0), sum);
  c_tiles.store_masked(sum, ct::bid().x, 0);
}
