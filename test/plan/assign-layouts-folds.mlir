// A fold gives all of its tiles one layout. Where only neighbours may be combined each warp has a run of the dimension; a commutative one
// takes its operands as they are.
// RUN: %tessera-opt --tile-assign-layouts %s | FileCheck %s

// CHECK-LABEL: func.func @in_order
// CHECK: %[[X:.*]] = tile.view_load {{.*}} -> tensor<512x4xf32, #[[RUNS:tile.layout<\[1, 2, 128, 256\], \[4, 8, 16, 32, 64\], \[1024, 512\]>]]>
// CHECK: %[[Y:.*]] = tile.splat {{.*}} tensor<512x4xi32, #[[RUNS]]>
// CHECK: tile.fold %[[X]], %[[Y]] along 0
// CHECK-SAME: -> (tensor<1x4xf32, #[[ROW:tile.layout<\[1, 2\], \[0, 0, 0, 0, 0\], \[0, 0\]>]]>, tensor<1x4xi32, #[[ROW]]>)
func.func @in_order(%p: !llvm.ptr, %n: i32) attributes {tile.config = #tile.config<warps = 4>} {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<512x4xf32>
  %y = tile.splat %n : i32 -> tensor<512x4xi32>
  %z:2 = tile.fold %x, %y along 0 : (tensor<512x4xf32>, tensor<512x4xi32>) -> (tensor<1x4xf32>, tensor<1x4xi32>) {
  ^bb0(%e: f32, %f: i32, %a: f32, %b: i32):
    %d = arith.subf %e, %a : f32
    tile.yield %d, %b : f32, i32
  }
  return
}

// The accumulator of a multiply stays as it is.
// CHECK-LABEL: func.func @any_order
// CHECK: %[[C:.*]] = tile.shared_mma m16n8k16
// CHECK-NEXT: tile.fold %[[C]] along 1 {commutative}
func.func @any_order(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %z = tile.fold %c along 1 {commutative} : (tensor<64x64xf32>) -> tensor<64x1xf32> {
  ^bb0(%e: f32, %a0: f32):
    %d = arith.mulf %e, %a0 : f32
    tile.yield %d : f32
  }
  return
}

// Two dimensions cannot both lie in warps: the second fold gets the tile in another layout.
// CHECK-LABEL: func.func @converted
// CHECK: %[[X:.*]] = tile.view_load
// CHECK-NEXT: tile.fold scan %[[X]] along 0
// CHECK: %[[Y:.*]] = tile.convert_layout %[[X]]
// CHECK-NEXT: tile.fold scan %[[Y]] along 1
func.func @converted(%p: !llvm.ptr, %n: i32) attributes {tile.config = #tile.config<warps = 4>} {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<2x4096xf32>
  %y = tile.fold scan %x along 0 : (tensor<2x4096xf32>) -> tensor<2x4096xf32> {
  ^bb0(%e: f32, %a: f32):
    %d = arith.subf %e, %a : f32
    tile.yield %d : f32
  }
  %z = tile.fold scan %x along 1 : (tensor<2x4096xf32>) -> tensor<2x4096xf32> {
  ^bb0(%e: f32, %a: f32):
    %d = arith.subf %e, %a : f32
    tile.yield %d : f32
  }
  return
}
