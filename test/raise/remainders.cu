// Remainders whose divisor may be zero stay behind the test and in the loop that they stand in;
// one by a constant is computed once.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>

// CHECK-LABEL: func.func @{{.*}}divisor
// CHECK: scf.while
// CHECK: } do {
// CHECK: arith.remsi
__tile_global__ void divisor(int *p, int a, int b) {
  while (b) {
    int t = a % b;
    a = b;
    b = t;
  }
  p[0] = a;
}

// CHECK-LABEL: func.func @{{.*}}loop
// CHECK: arith.remsi %{{.*}}, %c7_i32
// CHECK: scf.for
// CHECK: arith.remsi
__tile_global__ void loop(int *p, int n, int a, int b) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p[i] * (a % b) + a % 7;
  p[0] = sum;
}
