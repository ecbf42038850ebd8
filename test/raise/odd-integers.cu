// Integers of widths that no C type has are computed in the next wider one.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>

// What may set the bits above is masked; a signed use fills them.
// CHECK-LABEL: func.func @{{.*}}sum
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: %[[M:.*]] = arith.andi %[[S]], %c16777215_i32
// CHECK: arith.shli %[[M]], %c8_i32
// CHECK: arith.shrsi %{{.*}}, %c8_i32
// CHECK: arith.divsi
__tile_global__ void sum(int *p, int n) {
  _BitInt(24) a = (_BitInt(24))n;
  p[0] = int((_BitInt(24))((_BitInt(24))(a + a) / (_BitInt(24))p[1]));
}

struct rgb {
  unsigned char r, g, b;
};

// Memory is read and written in bytes.
// CHECK-LABEL: func.func @{{.*}}bytes
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-COUNT-3: llvm.store %{{.*}} : i8, !llvm.ptr
__tile_global__ void bytes(rgb *c, int n) {
  rgb x = c[0];
  rgb y = x;
  c[n] = y;
}
