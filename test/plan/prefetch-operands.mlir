// What a loop reads of a ring as the first operand of its multiply is read an iteration ahead, where a block has an SM for itself.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops --canonicalize --cse --tile-assign-layouts --cse --tile-register-operands --tile-prefetch-operands %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
// Floats are rounded to tf32 as they are copied: the second operand on its way, the first one where it is read.
// CHECK-LABEL: func.func @transposed
// CHECK: make_tensor_map 0 given 0, %arg0 {{.*}} for !tile.shared<256x32xtf32, panels> {rounds}
// CHECK: make_tensor_map 1 given 1, %arg1 {{.*}} for !tile.shared<32x128xf32, panels> :
// CHECK: tile.copy_async {{.*}}, rounds}
// CHECK: %[[FIRST:.*]] = scf.if
// CHECK: tile.wait_group 2 of
// CHECK: tile.round_copied
// CHECK: tile.shared_load
// CHECK: } else {
// CHECK: ub.poison
// CHECK: tile.mma_begin
// CHECK: %[[LOOP:.*]]:5 = scf.for {{.*}}, %[[X:.*]] = %[[FIRST]], %[[BEFORE:.*]] = %
// CHECK: tile.shared_mma wgmma %[[X]], {{.*}}inFlight
// CHECK-NEXT: tile.mma_wait 1
// CHECK-NEXT: tile.mma_done %[[BEFORE]]
// CHECK: %[[NEXT:.*]] = scf.if
// CHECK: tile.wait_group 1 of
// CHECK: tile.round_copied
// CHECK: tile.copy_async
// CHECK: tile.commit_group
// CHECK: tile.shared_load
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[BEFORE]]
// CHECK: scf.yield {{.*}}, %[[NEXT]], %[[X]]
// CHECK: tile.mma_finish
// CHECK-NEXT: tile.mma_done %[[LOOP]]#3, %[[LOOP]]#4
func.func @transposed(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x32xf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xf32>
    %xr = tile.cast %x : tensor<256x32xf32> -> tensor<256x32xtf32>
    %yr = tile.cast %y : tensor<32x128xf32> -> tensor<32x128xtf32>
    %xt = tile.permute %xr [1, 0] : tensor<256x32xtf32> -> tensor<32x256xtf32>
    %yt = tile.permute %yr [1, 0] : tensor<32x128xtf32> -> tensor<128x32xtf32>
    %next = tile.mma %yt, %xt, %sum : tensor<128x32xtf32>, tensor<32x256xtf32>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Two blocks have room here: while one fills its registers the other multiplies.
// CHECK-LABEL: func.func @two_blocks
// CHECK: scf.for
// CHECK: tile.wait_group
// CHECK: tile.shared_load
// CHECK: tile.shared_mma wgmma
// CHECK-NOT: mma_done
func.func @two_blocks(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xtf32>
    %xt = tile.permute %x [1, 0] : tensor<128x32xtf32> -> tensor<32x128xtf32>
    %yt = tile.permute %y [1, 0] : tensor<32x128xtf32> -> tensor<128x32xtf32>
    %next = tile.mma %yt, %xt, %sum : tensor<128x32xtf32>, tensor<32x128xtf32>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
