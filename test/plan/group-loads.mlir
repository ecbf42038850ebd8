// Loads of global memory stand together, if nothing but pure ops, and stores elsewhere, lies
// between them.
// RUN: %tessera-opt --tile-group-loads %s | FileCheck %s

#l = #tile.layout<[1, 2], [4, 8, 16, 32, 64], []>
#eight = #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], []>

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

// A store to an array that is no other one is passed, as often as registers last: 32 of a thread.
// CHECK-LABEL: func.func @store_elsewhere
// CHECK-COUNT-5: tile.view_load %arg0
// CHECK-COUNT-5: tile.view_store {{.*}}, %arg1
// CHECK-COUNT-2: tile.view_load %arg0
// CHECK-COUNT-2: tile.view_store {{.*}}, %arg1
func.func @store_elsewhere(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %n: i32, %i: i32) {
  %c1 = arith.constant 1 : i32
  %x0 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x0, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  %x1 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x1, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  %x2 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x2, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  %x3 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x3, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  %x4 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x4, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  %x5 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x5, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  %x6 = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xf32, #eight>
  tile.view_store %x6, %q extents(%n) strides(%c1) starts(%i) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #eight> (i32) (i32) (i32)
  return
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

// A value that is used twice at every step is met once.
// CHECK-LABEL: func.func @squares
// CHECK: tile.view_load %arg0
// CHECK-COUNT-48: arith.muli
// CHECK-NEXT: tile.view_load %arg1
// CHECK-NEXT: tile.cast
func.func @squares(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %x0: i32) -> (tensor<128xf16, #l>, tensor<128xf32, #l>) {
  %c1 = arith.constant 1 : i32
  %a = tile.view_load %p extents(%n) strides(%c1) starts(%x0) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  %x = tile.cast %a : tensor<128xf32, #l> -> tensor<128xf16, #l>
  %x1 = arith.muli %x0, %x0 : i32
  %x2 = arith.muli %x1, %x1 : i32
  %x3 = arith.muli %x2, %x2 : i32
  %x4 = arith.muli %x3, %x3 : i32
  %x5 = arith.muli %x4, %x4 : i32
  %x6 = arith.muli %x5, %x5 : i32
  %x7 = arith.muli %x6, %x6 : i32
  %x8 = arith.muli %x7, %x7 : i32
  %x9 = arith.muli %x8, %x8 : i32
  %x10 = arith.muli %x9, %x9 : i32
  %x11 = arith.muli %x10, %x10 : i32
  %x12 = arith.muli %x11, %x11 : i32
  %x13 = arith.muli %x12, %x12 : i32
  %x14 = arith.muli %x13, %x13 : i32
  %x15 = arith.muli %x14, %x14 : i32
  %x16 = arith.muli %x15, %x15 : i32
  %x17 = arith.muli %x16, %x16 : i32
  %x18 = arith.muli %x17, %x17 : i32
  %x19 = arith.muli %x18, %x18 : i32
  %x20 = arith.muli %x19, %x19 : i32
  %x21 = arith.muli %x20, %x20 : i32
  %x22 = arith.muli %x21, %x21 : i32
  %x23 = arith.muli %x22, %x22 : i32
  %x24 = arith.muli %x23, %x23 : i32
  %x25 = arith.muli %x24, %x24 : i32
  %x26 = arith.muli %x25, %x25 : i32
  %x27 = arith.muli %x26, %x26 : i32
  %x28 = arith.muli %x27, %x27 : i32
  %x29 = arith.muli %x28, %x28 : i32
  %x30 = arith.muli %x29, %x29 : i32
  %x31 = arith.muli %x30, %x30 : i32
  %x32 = arith.muli %x31, %x31 : i32
  %x33 = arith.muli %x32, %x32 : i32
  %x34 = arith.muli %x33, %x33 : i32
  %x35 = arith.muli %x34, %x34 : i32
  %x36 = arith.muli %x35, %x35 : i32
  %x37 = arith.muli %x36, %x36 : i32
  %x38 = arith.muli %x37, %x37 : i32
  %x39 = arith.muli %x38, %x38 : i32
  %x40 = arith.muli %x39, %x39 : i32
  %x41 = arith.muli %x40, %x40 : i32
  %x42 = arith.muli %x41, %x41 : i32
  %x43 = arith.muli %x42, %x42 : i32
  %x44 = arith.muli %x43, %x43 : i32
  %x45 = arith.muli %x44, %x44 : i32
  %x46 = arith.muli %x45, %x45 : i32
  %x47 = arith.muli %x46, %x46 : i32
  %x48 = arith.muli %x47, %x47 : i32
  %b = tile.view_load %q extents(%n) strides(%c1) starts(%x48) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32, #l>
  return %x, %b : tensor<128xf16, #l>, tensor<128xf32, #l>
}
