// Blocks that share what a loop reads along both axes of the grid take it in bands of rows.
// RUN: %tessera-opt --tile-swizzle-blocks %s | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: tile.block_index 0 {swizzled}
// CHECK: tile.block_index 1 {swizzled}
// CHECK: tile.block_index 2{{$}}
func.func @product(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.block_index 0
  %y = tile.block_index 1
  %z = tile.block_index 2
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%y, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %b = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%i, %x) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  }
  return
}

// Rows alone, as attention reads them, and reads before a loop, gain nothing.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: swizzled
// CHECK: return
func.func @rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.block_index 0
  %y = tile.block_index 1
  %first = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%x, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%y, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %b = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%y, %x) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  }
  return
}

// What a loop carries counts.
// CHECK-LABEL: func.func @carried
// CHECK: tile.block_index 0 {swizzled}
// CHECK: return
func.func @carried(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.block_index 0
  %y = tile.block_index 1
  scf.for %i = %c0 to %n step %c1 iter_args(%row = %y, %column = %x) -> (i32, i32) : i32 {
    %a = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %b = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    scf.yield %row, %column : i32, i32
  }
  return
}

// Who comes later may wait for who came before: the order of the program stays.
// CHECK-LABEL: func.func @ticket
// CHECK-NOT: swizzled
// CHECK: return
func.func @ticket(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %x = tile.block_index 0
  %y = tile.block_index 1
  %ticket = tile.atomic_rmw add %p, %c1, %true relaxed device : !llvm.ptr, i32, i1
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%y, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %b = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%i, %x) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  }
  return %ticket : i32
}
