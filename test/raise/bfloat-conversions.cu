// Before sm_90 CUDA's headers convert between bf16 and integers with functions on floats that have
// no body here; they do what the instructions do from then on.
// RUN: %tessera --arch=sm_80 --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %tessera run -O0 --target=emulate --arch=sm_80 -I%src/test/run %src/test/run/bfloat_conversions.cu > %t.80
// RUN: %if long %{ %tessera run -O0 --target=emulate --arch=sm_90a -I%src/test/run %src/test/run/bfloat_conversions.cu > %t.90 %}
// RUN: %if long %{ diff %t.80 %t.90 %}
#include <cuda_bf16.h>
#include <cuda_tile.h>

// CHECK-LABEL: func.func @{{.*}}convert
// CHECK: tile.unary roundeven %{{.*}} : f32
// CHECK: tile.cast %{{.*}} : f32 -> i32
// CHECK: tile.cast %{{.*}} {rounding = {{.*}}toward_zero{{.*}}} : i32 -> f32
__tile_global__ void convert(__nv_bfloat16 *x, int *n) {
  n[0] = __bfloat162int_rn(x[0]);
  x[1] = __int2bfloat16_rz(n[1]);
}
