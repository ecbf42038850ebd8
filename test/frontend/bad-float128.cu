// Tile code has no __float128, wherever it comes from.
// RUN: not %tessera check %s 2>&1 | FileCheck %s
#include <cuda_tile.h>
// CHECK: :[[#@LINE+1]]:{{.*}} error: a value has type '__float128'; tile code has no 128-bit types
__tile__ double narrowed(__float128 x) { return double(x); }
__tile_global__ void kernel(double *p) {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: a value has type '__float128'; tile code has no 128-bit types
  p[0] = double(__float128(p[1]) * 2);
}
__tile_global__ void variable(double *p) {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'x' has type '__float128'; tile code has no 128-bit types
  __float128 x = p[0];
  p[0] = x;
}
// CHECK-NOT: error:
