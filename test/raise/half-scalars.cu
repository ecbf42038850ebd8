// CUDA's headers write what scalars of half and bf16 do in PTX; it is raised to operations. Other
// PTX stays as it is.
// RUN: %tessera --extensions --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

// An operation acts on the value, loaded and stored as the bits that LLVM knows.
// CHECK-LABEL: func.func @{{.*}}arithmetic
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : i16 to f16
// CHECK: %[[P:.*]] = tile.binary mul %[[X]], %{{.*}} : f16
// CHECK: %[[N:.*]] = tile.unary neg %[[P]] : f16
// CHECK: %[[B:.*]] = arith.bitcast %[[N]] : f16 to i16
// CHECK: llvm.store %[[B]]
// CHECK: tile.fma %{{.*}} : bf16
__tile_global__ void arithmetic(__half *h, __nv_bfloat16 *b) {
  h[0] = -(h[0] * h[1]);
  b[0] = __hfma(b[0], b[1], b[2]);
}

// CHECK-LABEL: func.func @{{.*}}division
// CHECK: tile.binary div %{{.*}} {flush, rounding = {{.*}}approximate{{.*}}} : f32
// CHECK-NOT: llvm.inline_asm
__tile_global__ void division(__half *h) { h[0] = h[0] / h[1]; }

// Comparisons are ordered, != is not; a predicate that becomes a number and a condition again is
// just the predicate.
// CHECK-LABEL: func.func @{{.*}}comparisons
// CHECK: arith.cmpf olt, %{{.*}} : f16
// CHECK: arith.cmpf une, %{{.*}} : bf16
__tile_global__ void comparisons(__half *h, __nv_bfloat16 *b, int *y) {
  y[0] = h[0] < h[1];
  y[1] = b[0] != b[1];
}

// CHECK-LABEL: func.func @{{.*}}conversions
// CHECK: tile.cast %{{.*}} : f16 -> f32
// CHECK: tile.cast %{{.*}} : f32 -> bf16
// CHECK: tile.cast %{{.*}} {rounding = {{.*}}toward_zero{{.*}}} : f32 -> f16
// CHECK: tile.cast %{{.*}} : i32 -> f16
// CHECK: tile.cast %{{.*}} : f32 -> i32
__tile_global__ void conversions(__half *h, __nv_bfloat16 *b, float *f, int n) {
  b[0] = float(h[0]);
  h[1] = __float2half_rz(f[1]);
  h[2] = n;
  f[2] = int(h[3]);
}

// A conversion to 16 bits saturates there.
// CHECK-LABEL: func.func @{{.*}}narrow_integers
// CHECK: tile.cast %{{.*}} : f32 -> i32
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.trunci %{{.*}} : i32 to i16
__tile_global__ void narrow_integers(__half *h, short *s) { s[0] = __half2short_rz(h[0]); }

// The lanes of a packed type.
// CHECK-LABEL: func.func @{{.*}}pairs
// CHECK-COUNT-2: tile.binary add %{{.*}} : f16
// CHECK: tile.cast %{{.*}} : f32 -> f8E4M3FN
__tile_global__ void pairs(__half2 *h, __nv_fp8_e4m3 *q, float *f) {
  h[0] = h[0] + h[1];
  q[0] = __nv_fp8_e4m3(f[0]);
}

// CHECK-LABEL: func.func @{{.*}}unknown
// CHECK: llvm.inline_asm {{.*}}"{ set.eq.u32.f16x2 $0,$1,$2;
__tile_global__ void unknown(__half2 *h, unsigned *y) { y[0] = __heq2_mask(h[0], h[1]); }
