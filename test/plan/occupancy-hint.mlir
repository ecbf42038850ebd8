// A hint of occupancy is followed as far as registers and shared memory let it.
// RUN: %tessera-opt --tile-assign-layouts --tile-lower-to-shared --tile-plan-occupancy %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
// Without multiplies, too.
// CHECK-LABEL: func.func @few
// CHECK-SAME: tile.min_blocks = 3
func.func @few(%p: !llvm.ptr) attributes {tile.occupancy = 3 : i64} {
  %x = arith.constant dense<0> : tensor<64xi32>
  return
}
// One block: all registers.
// CHECK-LABEL: func.func @one
// CHECK-SAME: tile.min_blocks = 1
func.func @one(%p: !llvm.ptr) attributes {tile.occupancy = 1 : i64} {
  return
}
// The accumulator alone takes half of an SM's registers.
// CHECK-LABEL: func.func @large
// CHECK-NOT: tile.min_blocks = 8
// CHECK-SAME: tile.min_blocks = {{[1-4]}} :
func.func @large(%a: !tile.shared<128x16xf16, 0, 0, 0>, %b: !tile.shared<16x128xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) attributes {tile.occupancy = 8 : i64} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<128x16xf16, 0, 0, 0>, !tile.shared<16x128xf16, 0, 0, 0>, tensor<128x128xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
