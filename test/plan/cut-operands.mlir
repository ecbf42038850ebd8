// Floats that are cut off to tf32 for tensor cores alone are read as tf32.
// RUN: %tessera-opt --tile-cut-operands %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @cut
// CHECK: %[[X:.*]] = tile.view_load {{.*}} -> tensor<64x32xtf32>
// CHECK: %[[Y:.*]] = tile.view_load {{.*}} -> tensor<64x32xtf32>
// CHECK-NOT: tile.cast
// CHECK: %[[T:.*]] = tile.permute %[[Y]] [1, 0]
// CHECK: tile.mma %[[X]], %[[T]]
func.func @cut(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %sum: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf32>
  %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf32>
  %xc = tile.cast %x {rounding = #tile<rounding toward_zero>} : tensor<64x32xf32> -> tensor<64x32xtf32>
  %yc = tile.cast %y {rounding = #tile<rounding toward_zero>} : tensor<64x32xf32> -> tensor<64x32xtf32>
  %yt = tile.permute %yc [1, 0] : tensor<64x32xtf32> -> tensor<32x64xtf32>
  %d = tile.mma %xc, %yt, %sum : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// Rounded to the nearest they are other numbers; and somebody else sees what is cut off.
// CHECK-LABEL: func.func @seen
// CHECK: tile.view_load {{.*}} -> tensor<64x32xf32>
// CHECK: tile.view_load {{.*}} -> tensor<32x64xf32>
// CHECK: tile.cast
// CHECK: tile.cast
func.func @seen(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %sum: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<32x64xtf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf32>
  %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf32>
  %xc = tile.cast %x : tensor<64x32xf32> -> tensor<64x32xtf32>
  %yc = tile.cast %y {rounding = #tile<rounding toward_zero>} : tensor<32x64xf32> -> tensor<32x64xtf32>
  %d = tile.mma %xc, %yc, %sum : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
  return %d, %yc : tensor<64x64xf32>, tensor<32x64xtf32>
}

// A multiply-add sees all bits: no unit takes four rows.
// CHECK-LABEL: func.func @small
// CHECK: tile.view_load {{.*}} -> tensor<4x8xf32>
// CHECK: tile.cast
func.func @small(%a: !llvm.ptr, %ld: i32, %y: tensor<8x8xtf32>, %sum: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<4x8xf32>
  %xc = tile.cast %x {rounding = #tile<rounding toward_zero>} : tensor<4x8xf32> -> tensor<4x8xtf32>
  %d = tile.mma %xc, %y, %sum : tensor<4x8xtf32>, tensor<8x8xtf32>, tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}
}
