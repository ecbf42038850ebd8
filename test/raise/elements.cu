// Every element type has its own tile type; unsigned operands are said to be so; rank 0 is the
// scalar itself.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <class E> using row = ct::tile<E, ct::shape<64>>;
__tile__ auto here() { return ct::iota<row<int>>(); }

// CHECK-LABEL: func.func @{{.*}}floats
// CHECK: tile.load %{{.*}} -> tensor<64xf16>
// CHECK: tile.cast %{{.*}} : tensor<64xf16> -> tensor<64xf32>
// CHECK: tile.cast %{{.*}} : tensor<64xf32> -> tensor<64xbf16>
// CHECK: tile.cast %{{.*}} : tensor<64xf32> -> tensor<64xf8E4M3FN>
__tile_global__ void floats(const __half *h, __nv_bfloat16 *b, __nv_fp8_e4m3 *q) {
  auto x = ct::element_cast<float>(ct::load(h + here()));
  ct::store(b + here(), ct::element_cast<__nv_bfloat16>(x));
  ct::store(q + here(), ct::element_cast<__nv_fp8_e4m3>(x));
}

// CHECK-LABEL: func.func @{{.*}}integers
// CHECK: tile.binary div %{{.*}} {isUnsigned} : tensor<64xi32>
// CHECK: tile.compare lt %{{.*}} {isUnsigned} : tensor<64xi32> -> tensor<64xi1>
// CHECK: tile.cast %{{.*}} {{{.*}}fromUnsigned{{.*}}} : tensor<64xi32> -> tensor<64xf32>
__tile_global__ void integers(unsigned *u, float *y) {
  auto x = ct::load(u + here()) / 3u;
  ct::store(y + here(), ct::select(x < 7u, ct::element_cast<float>(x), ct::zeros<row<float>>()));
}

// CHECK-LABEL: func.func @{{.*}}scalars
// CHECK: tile.reduce sum %{{.*}} along 0 : tensor<64xf32> -> tensor<1xf32>
// CHECK: %[[S:.*]] = tile.scalar %{{.*}} : tensor<1xf32> -> f32
// CHECK: arith.minui %arg1, %{{.*}} : i32
// CHECK: llvm.store %[[S]]
__tile_global__ void scalars(float *y, unsigned n) {
  y[ct::min(n, 5u)] = static_cast<float>(ct::sum<0>(ct::load(y + here())));
}
