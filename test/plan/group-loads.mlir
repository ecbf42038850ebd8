// Loads of global memory stand together, if nothing but pure ops lies between them.
// RUN: %tessera-opt --tile-group-loads %s | FileCheck %s

#l = #tile.layout<[1, 2], [4, 8, 16, 32, 64], []>

// What waits for the first load goes behind the second, whose address comes along.
// CHECK-LABEL: func.func @two
// CHECK: %[[A:.*]] = tile.view_load %arg0
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %arg3
// CHECK-NEXT: %[[B:.*]] = tile.view_load %arg1 {{.*}}starts(%[[NEXT]])
// CHECK-NEXT: tile.cast %[[A]]
// CHECK-NEXT: tile.cast %[[B]]
func.func @two(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) -> (tensor<128xf16, #l>, tensor<128xf16, #l>) {
  %c1 = arith.constant 1 : i32
  %a = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  %x = tile.cast %a : tensor<128xf32, #l> -> tensor<128xf16, #l>
  %next = arith.addi %i, %c1 : i32
  %b = tile.view_load %q extents(%n) strides(%c1) starts(%next) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  %y = tile.cast %b : tensor<128xf32, #l> -> tensor<128xf16, #l>
  return %x, %y : tensor<128xf16, #l>, tensor<128xf16, #l>
}

// A store may be of what the second load reads: they keep their order.
// CHECK-LABEL: func.func @store_between
// CHECK: tile.view_load %arg0
// CHECK: tile.view_store
// CHECK: tile.view_load %arg1
func.func @store_between(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) -> tensor<128xf32, #l> {
  %c1 = arith.constant 1 : i32
  %a = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  tile.view_store %a, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<128xf32, #l> (i32) (i32) (i32)
  %b = tile.view_load %q extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  return %b : tensor<128xf32, #l>
}

// A load whose place comes out of the first one's tile stays behind what computes it.
// CHECK-LABEL: func.func @dependent
// CHECK: tile.view_load %arg0
// CHECK: tile.cast
// CHECK: tile.scalar
// CHECK: tile.view_load %arg1
func.func @dependent(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) -> tensor<128xf32, #l> {
  %c1 = arith.constant 1 : i32
  %a = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], []>>
  %x = tile.cast %a : tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], []>> -> tensor<1xi32, #tile.layout<[], [0, 0, 0, 0, 0], []>>
  %start = tile.scalar %x : tensor<1xi32, #tile.layout<[], [0, 0, 0, 0, 0], []>> -> i32
  %b = tile.view_load %q extents(%n) strides(%c1) starts(%start) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  return %b : tensor<128xf32, #l>
}
