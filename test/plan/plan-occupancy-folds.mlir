// A fold is expected to take the registers that a scan or a reduction of a known kind takes.
// RUN: %tessera-opt --tile-assign-layouts --tile-lower-to-shared --tile-plan-occupancy %s | FileCheck %s

// CHECK-LABEL: func.func @scan
// CHECK-SAME: tile.registers = [[SCAN:[0-9]+]] : i64
func.func @scan(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%n) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : (i32) (i32) (i32) -> tensor<8192xf32>
  %y = tile.scan sum %x along 0 : tensor<8192xf32>
  tile.view_store %y, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<8192xf32> (i32) (i32) (i32)
  return
}

// CHECK-LABEL: func.func @fold_scan
// CHECK-SAME: tile.registers = [[SCAN]] : i64
func.func @fold_scan(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%n) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : (i32) (i32) (i32) -> tensor<8192xf32>
  %y = tile.fold scan %x along 0 : (tensor<8192xf32>) -> tensor<8192xf32> {
  ^bb0(%e: f32, %a: f32):
    %d = arith.subf %a, %e : f32
    tile.yield %d : f32
  }
  tile.view_store %y, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<8192xf32> (i32) (i32) (i32)
  return
}

// The elements of a tile are consumed as they are computed; the region takes a register for what it computes.
// CHECK-LABEL: func.func @reduction
// CHECK-SAME: tile.registers = [[#REDUCTION:]] : i64
func.func @reduction(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%n) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : (i32) (i32) (i32) -> tensor<8192xf32>
  %e = tile.binary mul %x, %x : tensor<8192xf32>
  %y = tile.reduce prod %e along 0 : tensor<8192xf32> -> tensor<1xf32>
  tile.view_store %y, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<1xf32> (i32) (i32) (i32)
  tile.view_store %x, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<8192xf32> (i32) (i32) (i32)
  return
}

// CHECK-LABEL: func.func @fold_reduction
// CHECK-SAME: tile.registers = [[#REDUCTION+1]] : i64
func.func @fold_reduction(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%n) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : (i32) (i32) (i32) -> tensor<8192xf32>
  %e = tile.binary mul %x, %x : tensor<8192xf32>
  %y = tile.fold %e along 0 {commutative} : (tensor<8192xf32>) -> tensor<1xf32> {
  ^bb0(%f: f32, %a: f32):
    %d = arith.mulf %a, %f : f32
    tile.yield %d : f32
  }
  tile.view_store %y, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<1xf32> (i32) (i32) (i32)
  tile.view_store %x, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<8192xf32> (i32) (i32) (i32)
  return
}
