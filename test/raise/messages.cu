// printf is one operation with its values, a failed assertion a trap that keeps loops counted.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cassert>
#include <cstdio>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-LABEL: func.func @{{.*}}talks
// CHECK-NOT: llvm.alloca
// CHECK: tile.print "n = %d, half %f\0A"(%arg0, %{{.*}}) : i32, f64
__tile_global__ void talks(int n) { printf("n = %d, half %f\n", n, n * 0.5); }

// CHECK-LABEL: func.func @{{.*}}checked
// CHECK: scf.for
// CHECK: %[[BAD:.*]] = arith.cmpi sle
// CHECK: scf.if %[[BAD]] {
// CHECK-NEXT: tile.trap "{{.*}}messages.cu:[[# @LINE + 3]]: void checked({{.*}}): Assertion `k[i] > 0' failed."
__tile_global__ void checked(const int *k, int *y, int n) {
  for (int i = 0; i < n; ++i) {
    assert(k[i] > 0);
    y[i] = k[i];
  }
}
