// A product of words whose second operand alone runs across K is made as its transpose, in an order of rows that threads read from memory without conflicts.
// RUN: %tessera-opt --tile-swap-operands %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @rows
// CHECK: %[[TURNED:.*]] = tile.permute %{{.*}} [1, 0] : tensor<256x128xf32> -> tensor<128x256xf32>
// CHECK: %[[BITS:.*]] = tile.reshape %[[TURNED]] : tensor<128x256xf32> -> tensor<4x2x2x2x2x2x256xf32>
// CHECK: %[[ORDERED:.*]] = tile.permute %[[BITS]] [0, 2, 5, 3, 1, 4, 6]
// CHECK: %[[INIT:.*]] = tile.reshape %[[ORDERED]] : {{.*}} -> tensor<128x256xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[INIT]]) -> (tensor<128x256xf32>)
// CHECK-DAG: %[[A:.*]] = tile.view_load {{.*}} -> tensor<256x32xtf32>
// CHECK-DAG: %[[B:.*]] = tile.view_load {{.*}} -> tensor<32x128xtf32>
// CHECK-DAG: %[[COLUMNS:.*]] = tile.permute %[[B]] [1, 0]
// CHECK-DAG: %[[OF_COLUMNS:.*]] = tile.reshape %[[COLUMNS]] : tensor<128x32xtf32> -> tensor<4x2x2x2x2x2x32xtf32>
// CHECK-DAG: %[[TAKEN:.*]] = tile.permute %[[OF_COLUMNS]] [0, 2, 5, 3, 1, 4, 6]
// CHECK-DAG: %[[FIRST:.*]] = tile.reshape %[[TAKEN]] : {{.*}} -> tensor<128x32xtf32>
// CHECK-DAG: %[[SECOND:.*]] = tile.permute %[[A]] [1, 0]
// CHECK: tile.mma %[[FIRST]], %[[SECOND]], %[[CARRIED]] : tensor<128x32xtf32>, tensor<32x256xtf32>
// CHECK: %[[SUM_BITS:.*]] = tile.reshape %[[SUM]]
// CHECK: %[[SUM_ORDERED:.*]] = tile.permute %[[SUM_BITS]] [0, 4, 1, 3, 5, 2, 6]
// CHECK: %[[ROWS:.*]] = tile.reshape %[[SUM_ORDERED]] : {{.*}} -> tensor<128x256xf32>
// CHECK: %[[BACK:.*]] = tile.permute %[[ROWS]] [1, 0]
// CHECK: return %[[BACK]]
func.func @rows(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<256x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x32xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xtf32>
    %next = tile.mma %x, %y, %sum : tensor<256x32xtf32>, tensor<32x128xtf32>, tensor<256x128xf32>
    scf.yield %next : tensor<256x128xf32>
  }
  return %c : tensor<256x128xf32>
}

// Where both run across K, or neither, nothing is gained; the sum is wanted in each iteration.
// CHECK-LABEL: func.func @others
// CHECK-NOT: tile.permute
// CHECK: return
func.func @others(%a: !llvm.ptr, %b: !llvm.ptr, %p: tensor<256x128x!llvm.ptr>, %n: i32, %ld: i32, %init: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<256x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x32xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xtf32>
    %next = tile.mma %x, %y, %sum : tensor<256x32xtf32>, tensor<32x128xtf32>, tensor<256x128xf32>
    tile.store %next, %p : tensor<256x128xf32>, tensor<256x128x!llvm.ptr>
    scf.yield %next : tensor<256x128xf32>
  }
  return %c : tensor<256x128xf32>
}
}
