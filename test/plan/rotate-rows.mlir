// Rows that may begin between aligned groups are rotated in their tiles, where nothing sees the order of columns.
// RUN: %tessera-opt --tile-rotate-rows %s | FileCheck %s

#row = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 128], []>
#rows = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 128], [256]>
#eight = #tile.layout<[1, 2, 4, 256, 512, 1024], [8, 16, 32, 64, 128], []>
#one = #tile.layout<[], [0, 0, 0, 0, 0], []>
#ones = #tile.layout<[], [0, 0, 0, 0, 0], [1]>
#halves = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 0], []>

// A softmax: both rows have one stride and one index. If they do not begin alike, the second shift is -1.
// CHECK-LABEL: func.func @both_rows(
// CHECK: %[[X:.*]] = tile.row_shift %arg0 of bf16 extents(%arg2, %arg2) strides(%arg2, %{{.*}}) starts(%arg3, %{{.*}}) by 8 :
// CHECK: %[[Y:.*]] = tile.row_shift %arg1 of bf16 extents(%arg2, %arg2) strides(%arg2, %{{.*}}) starts(%arg3, %{{.*}}) by 8 like %[[X]] {written} :
// CHECK: tile.view_load %arg0 {{.*}} shift %[[Y]] padding zero {rotation = #tile.rotation<8, same = true>
// CHECK: tile.view_store %{{.*}}, %arg1 {{.*}} shift %[[Y]] {rotation = #tile.rotation<8, same = true>
func.func @both_rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  %v = tile.cast %x : tensor<1x256xbf16, #row> -> tensor<1x256xf32, #row>
  %m = tile.reduce max %v along 1 : tensor<1x256xf32, #row> -> tensor<1x1xf32, #one>
  %b = tile.broadcast %m : tensor<1x1xf32, #one> -> tensor<1x256xf32, #row>
  %d = tile.binary sub %v, %b : tensor<1x256xf32, #row>
  %y = tile.cast %d : tensor<1x256xf32, #row> -> tensor<1x256xbf16, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// One array, read and written: one shift.
// CHECK-LABEL: func.func @in_place(
// CHECK: %[[S:.*]] = tile.row_shift %arg0 {{.*}} by 8 {written}
// CHECK-NOT: tile.row_shift
// CHECK: tile.view_load {{.*}} shift %[[S]]
// CHECK: tile.view_store {{.*}} shift %[[S]]
func.func @in_place(%p: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  %y = tile.binary mul %x, %x : tensor<1x256xbf16, #row>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Floats beside bf16: a shift is counted in elements, modulo the larger group.
// CHECK-LABEL: func.func @two_sizes(
// CHECK: %[[Y:.*]] = tile.row_shift %arg1 of bf16 {{.*}} by 8 {written}
// CHECK: %[[X:.*]] = tile.row_shift %arg0 of f32 {{.*}} by 4 like %[[Y]] :
// CHECK: tile.view_load {{.*}} shift %[[X]] padding zero {rotation = #tile.rotation<8, same = true>
// CHECK: tile.view_store {{.*}} shift %[[X]] {rotation = #tile.rotation<8, same = true>
func.func @two_sizes(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xf32, #row>
  %y = tile.cast %x : tensor<1x256xf32, #row> -> tensor<1x256xbf16, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A view of each row: what the kernel adds to both pointers is the same number of elements.
// CHECK-LABEL: func.func @views_of_rows(
// CHECK: tile.row_shift {{.*}} of bf16 {{.*}} by 8
// CHECK: tile.row_shift {{.*}} of f32 {{.*}} by 4 like
// CHECK: tile.view_load {{.*}} shift
// CHECK: tile.view_store {{.*}} shift
func.func @views_of_rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %at: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %by2 = arith.muli %at, %c2 : i64
  %by4 = arith.muli %at, %c4 : i64
  %from = llvm.getelementptr %p[%by2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %to = llvm.getelementptr %q[%by4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = tile.view_load %from extents(%n) strides(%c1) starts(%c0) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xbf16, #row>
  %y = tile.cast %x : tensor<256xbf16, #row> -> tensor<256xf32, #row>
  tile.view_store %y, %to extents(%n) strides(%c1) starts(%c0)
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<256xf32, #row> (i32) (i32) (i32)
  return
}

// A weight for each column is read across groups: a row that is read and written gains more.
// CHECK-LABEL: func.func @weights(
// CHECK: %[[S:.*]] = tile.row_shift %arg1 {{.*}} like
// CHECK: tile.view_load %arg2 {{.*}} shift %[[S]] padding zero {rotation = #tile.rotation<8, same = false>
// CHECK: tile.view_load %arg0 {{.*}} shift %[[S]] padding zero {rotation = #tile.rotation<8, same = true>
// CHECK: tile.view_store {{.*}} shift %[[S]] {rotation = #tile.rotation<8, same = true>
func.func @weights(%p: !llvm.ptr, %q: !llvm.ptr, %w: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.view_load %w extents(%n) strides(%c1) starts(%c0) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xbf16, #row>
  %f = tile.reshape %v : tensor<256xbf16, #row> -> tensor<1x256xbf16, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  %y = tile.binary mul %x, %f : tensor<1x256xbf16, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A row that is read alone gains no more than its weights lose.
// CHECK-LABEL: func.func @no_gain(
// CHECK-NOT: shift
func.func @no_gain(%p: !llvm.ptr, %w: !llvm.ptr, %n: i32, %i: i32) -> tensor<1x1xbf16, #one> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.view_load %w extents(%n) strides(%c1) starts(%c0) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xbf16, #row>
  %f = tile.reshape %v : tensor<256xbf16, #row> -> tensor<1x256xbf16, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  %y = tile.binary mul %x, %f : tensor<1x256xbf16, #row>
  %s = tile.reduce sum %y along 1 : tensor<1x256xbf16, #row> -> tensor<1x1xbf16, #one>
  return %s : tensor<1x1xbf16, #one>
}

// Two rows of a tile: each has its own shift.
// CHECK-LABEL: func.func @two_rows(
// CHECK: %[[S:.*]] = tile.row_shift %arg0
// CHECK: tile.view_load {{.*}} shift %[[S]]
// CHECK: tile.view_store {{.*}} shift %[[S]]
func.func @two_rows(%p: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<2x256xbf16, #rows>
  %y = tile.binary mul %x, %x : tensor<2x256xbf16, #rows>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<2x256xbf16, #rows> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Four rows and four others of the same strides: row 2 of a tile begins elsewhere.
// CHECK-LABEL: func.func @other_rows(
// CHECK-NOT: shift
func.func @other_rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %m: i32, %i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n, %n) strides(%n, %m, %c1) starts(%i, %j, %c0) padding zero
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<2x4x256xbf16, #eight>
  %y = tile.reshape %x : tensor<2x4x256xbf16, #eight> -> tensor<4x2x256xbf16, #eight>
  tile.view_store %y, %q extents(%n, %n, %n) strides(%n, %m, %c1) starts(%i, %j, %c0)
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : tensor<4x2x256xbf16, #eight> (i32, i32, i32) (i32, i32, i32) (i32, i32, i32)
  return
}

// The weights of two rows would have to be rotated twice.
// CHECK-LABEL: func.func @weights_of_two_rows(
// CHECK-NOT: shift
func.func @weights_of_two_rows(%p: !llvm.ptr, %w: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.view_load %w extents(%c1, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: 1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  %f = tile.broadcast %v : tensor<1x256xbf16, #row> -> tensor<2x256xbf16, #rows>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<2x256xbf16, #rows>
  %y = tile.binary mul %x, %f : tensor<2x256xbf16, #rows>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<2x256xbf16, #rows> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A stride that is a multiple of eight: rows begin between groups only if the array does.
// CHECK-LABEL: func.func @known_stride(
// CHECK-NOT: shift
func.func @known_stride(%p: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = tile.assume %n {divisible = 8 : i64} : i32
  %x = tile.view_load %p extents(%m, %m) strides(%m, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  tile.view_store %x, %p extents(%m, %m) strides(%m, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What is written has rows of another stride, and costs more across groups than what is read.
// CHECK-LABEL: func.func @other_stride(
// CHECK: %[[S:.*]] = tile.row_shift %arg1
// CHECK-NOT: tile.row_shift
// CHECK: tile.view_load %arg0 {{.*}} shift %[[S]] padding zero {rotation = #tile.rotation<8, same = false>
// CHECK: tile.view_store {{.*}} shift %[[S]] {rotation = #tile.rotation<8, same = true>
func.func @other_stride(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %m: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  tile.view_store %x, %q extents(%n, %n) strides(%m, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Stores of two strides would have to be rotated twice.
// CHECK-LABEL: func.func @two_stores(
// CHECK-NOT: shift
func.func @two_stores(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %m: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  tile.view_store %x, %q extents(%n, %n) strides(%m, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A number for each column is that of the column in its slot; where rows are aligned, the shift is 0.
// CHECK-LABEL: func.func @numbered(
// CHECK: %[[S:.*]] = tile.row_shift
// CHECK: %[[K:.*]] = tile.iota
// CHECK: %[[BY:.*]] = arith.maxsi %[[S]], %{{.*}} : i32
// CHECK: %[[D:.*]] = tile.splat %[[BY]]
// CHECK: %[[M:.*]] = tile.binary sub %[[K]], %[[D]]
// CHECK: %[[C:.*]] = tile.binary bit_and %[[M]],
// CHECK: tile.binary add %{{.*}}, %[[C]]
func.func @numbered(%p: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %k = tile.iota : tensor<1x256xi32, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xi32, #row>
  %y = tile.binary add %x, %k : tensor<1x256xi32, #row>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xi32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A scan combines columns in their order.
// CHECK-LABEL: func.func @scanned(
// CHECK-NOT: shift
func.func @scanned(%p: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xf32, #row>
  %y = tile.scan sum %x along 1 : tensor<1x256xf32, #row>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// The position of the largest element is a column.
// CHECK-LABEL: func.func @positions(
// CHECK-NOT: shift
func.func @positions(%p: !llvm.ptr, %n: i32, %i: i32) -> tensor<1x1xi32, #one> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xf32, #row>
  %y = tile.reduce argmax %x along 1 : tensor<1x256xf32, #row> -> tensor<1x1xi32, #one>
  return %y : tensor<1x1xi32, #one>
}

// Pieces of a row are rotated as the row is: one shift, and a loop carries their sum.
// CHECK-LABEL: func.func @pieces(
// CHECK: %[[S:.*]] = tile.row_shift %arg0 {{.*}} starts(%arg2, %c0_i32{{.*}}) by 4
// CHECK: scf.for
// CHECK: tile.view_load {{.*}} shift %[[S]]
func.func @pieces(%p: !llvm.ptr, %n: i32, %i: i32) -> tensor<1x1xf32, #one> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c256 = arith.constant 256 : i32
  %f0 = arith.constant 0.0 : f32
  %none = tile.splat %f0 : f32 -> tensor<1x256xf32, #row>
  %sum = scf.for %j = %c0 to %n step %c256 iter_args(%s = %none) -> (tensor<1x256xf32, #row>) : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %j) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xf32, #row>
    %t = tile.binary add %s, %x : tensor<1x256xf32, #row>
    scf.yield %t : tensor<1x256xf32, #row>
  }
  %r = tile.reduce sum %sum along 1 : tensor<1x256xf32, #row> -> tensor<1x1xf32, #one>
  return %r : tensor<1x1xf32, #one>
}

// Halves of a row are columns of their own.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: shift
func.func @halves(%p: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
  %h = tile.reshape %x : tensor<1x256xbf16, #row> -> tensor<2x128xbf16, #row>
  %y = tile.binary mul %h, %h : tensor<2x128xbf16, #row>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<2x128xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A loop carries the tile from one row to the next: its columns have one place.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT: shift
func.func @carried(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %none = tile.splat %f0 : f32 -> tensor<1x256xf32, #row>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (tensor<1x256xf32, #row>) : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xf32, #row>
    %t = tile.binary add %s, %x : tensor<1x256xf32, #row>
    scf.yield %t : tensor<1x256xf32, #row>
  }
  tile.view_store %sum, %q extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// The same where nothing but a reduction follows.
// CHECK-LABEL: func.func @largest_of_columns(
// CHECK-NOT: shift
func.func @largest_of_columns(%p: !llvm.ptr, %n: i32) -> tensor<1x1xf32, #one> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %none = tile.splat %f0 : f32 -> tensor<1x256xf32, #row>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (tensor<1x256xf32, #row>) : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xf32, #row>
    %t = tile.binary add %s, %x : tensor<1x256xf32, #row>
    scf.yield %t : tensor<1x256xf32, #row>
  }
  %r = tile.reduce max %sum along 1 : tensor<1x256xf32, #row> -> tensor<1x1xf32, #one>
  return %r : tensor<1x1xf32, #one>
}

// A loop over rows: the weights in front of it do not know the shift of its rows.
// CHECK-LABEL: func.func @weights_before_rows(
// CHECK-NOT: shift
func.func @weights_before_rows(%p: !llvm.ptr, %w: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.view_load %w extents(%n) strides(%c1) starts(%c0) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xbf16, #row>
  %f = tile.reshape %v : tensor<256xbf16, #row> -> tensor<1x256xbf16, #row>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x256xbf16, #row>
    %y = tile.binary mul %x, %f : tensor<1x256xbf16, #row>
    tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// The index of what is written is computed later, of scalars: it moves in front of the read.
// CHECK-LABEL: func.func @later_index(
// CHECK: %[[J:.*]] = arith.addi %arg2
// CHECK: tile.row_shift %arg0 {{.*}} starts(%[[J]],
// CHECK: tile.view_load
// CHECK: tile.view_store {{.*}} shift
func.func @later_index(%p: !llvm.ptr, %n: i32, %i: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %w = tile.view_load %p extents(%n) strides(%c1) starts(%c0) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<256xbf16, #row>
  %j = arith.addi %i, %c1 : i32
  %f = tile.reshape %w : tensor<256xbf16, #row> -> tensor<1x256xbf16, #row>
  scf.if %c {
    tile.view_store %f, %p extents(%n, %n) strides(%n, %c1) starts(%j, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
