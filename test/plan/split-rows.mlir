// A chain of 256 rows: its rows are computed in two parts, one after the other. Whatever starts at a row starts at the part's.
// RUN: %tessera-opt --split-input-file --tile-split-rows --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: func.func @tall
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c256
// CHECK: %[[IOTA:.*]] = tile.iota : tensor<128xi32>
// CHECK: scf.for %[[PART:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %c128{{.*}} overflow<nsw>
// CHECK: %[[START:.*]] = arith.addi %[[ROW]], %[[FIRST]]
// CHECK: tile.view_load %arg0 {{.*}} starts(%[[START]], {{.*}} -> tensor<128x128xbf16>
// CHECK: tile.binary add %[[IOTA]], %{{.*}} : tensor<128xi32>
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>)
// CHECK: tile.view_load %arg1 {{.*}} -> tensor<128x128xbf16>
// CHECK: tile.mma {{.*}} tensor<128x128xf32>
// CHECK: tile.reduce max {{.*}} -> tensor<128x1xf32>
// CHECK: tile.view_store {{.*}} starts(%[[START]],
// CHECK: } {tile.parts}
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @tall(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "tall"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<256x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c256 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x128xbf16>
  %rows = tile.iota : tensor<256xi32>
  %last = tile.splat %n : i32 -> tensor<256xi32>
  %inside = tile.compare lt %rows, %last : tensor<256xi32> -> tensor<256xi1>
  %column = tile.reshape %inside : tensor<256xi1> -> tensor<256x1xi1>
  %all = tile.broadcast %column : tensor<256x1xi1> -> tensor<256x128xi1>
  %sum = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero) -> (tensor<256x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %zero : tensor<256x128xbf16>, tensor<128x128xbf16>, tensor<256x128xf32>
    %largest = tile.reduce max %score along 1 : tensor<256x128xf32> -> tensor<256x1xf32>
    %wide = tile.broadcast %largest : tensor<256x1xf32> -> tensor<256x128xf32>
    %d = tile.binary sub %score, %wide : tensor<256x128xf32>
    %p = tile.select %all, %d, %zero : tensor<256x128xi1>, tensor<256x128xf32>
    %b = tile.cast %p : tensor<256x128xf32> -> tensor<256x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %s : tensor<256x128xbf16>, tensor<128x128xbf16>, tensor<256x128xf32>
    scf.yield %next : tensor<256x128xf32>
  }
  tile.view_store %sum, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<256x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----
// Rows that are reduced, without multiplies: more than 16 warps hold.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.for %[[PART:.*]] = %c0{{.*}} to %c2
// CHECK: tile.view_load {{.*}} -> tensor<1x32768xf32>
// CHECK: tile.reduce sum %{{.*}} along 1 : tensor<1x32768xf32>
// CHECK: tile.view_store {{.*}} : tensor<1x32768xf32>
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @rows(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "rows"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32768 = arith.constant 32768 : i32
  %b = tile.block_index 0
  %row = arith.muli %b, %c2 : i32
  %v = tile.view_load %x extents(%n, %c32768) strides(%c32768, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 32768>, staticStrides = array<i64: 32768, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<2x32768xf32>
  %s = tile.reduce sum %v along 1 : tensor<2x32768xf32> -> tensor<2x1xf32>
  %a = tile.broadcast %s : tensor<2x1xf32> -> tensor<2x32768xf32>
  %d = tile.binary div %v, %a : tensor<2x32768xf32>
  tile.view_store %d, %y extents(%n, %c32768) strides(%c32768, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 32768>, staticStrides = array<i64: 32768, 1>} : tensor<2x32768xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----
// Rows that a grid-stride loop reads are loaded ahead by a block that has its SM alone: parts of
// 16384 elements. Rows that overlap in one store are a race, whatever their stride.
// CHECK-LABEL: func.func @grid_stride(
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2
// CHECK: tile.view_load {{.*}} -> tensor<4x4096xf32>
// CHECK: tile.view_store {{.*}} : tensor<4x4096xf32>
// CHECK-LABEL: func.func @moving_columns(
// CHECK-NOT: tensor<4x4096xf32>
// CHECK-LABEL: func.func @spread_columns(
// CHECK-NOT: tensor<4x4096xf32>
// CHECK-LABEL: func.func @two_stores(
// CHECK-NOT: tensor<4x4096xf32>
// CHECK-LABEL: func.func @rows_aside(
// CHECK-NOT: tensor<4x4096xf32>
// CHECK-LABEL: func.func @end(
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @grid_stride(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32, %s: i32) attributes {tile.kernel = "grid_stride"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c132 = arith.constant 132 : i32
  %b = tile.block_index 0
  scf.for %i = %b to %n step %c132 : i32 {
    %row = arith.muli %i, %c8 : i32
    %v = tile.view_load %x extents(%n, %n) strides(%s, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
    %sum = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
    %a = tile.broadcast %sum : tensor<8x1xf32> -> tensor<8x4096xf32>
    %d = tile.binary div %v, %a : tensor<8x4096xf32>
    tile.view_store %d, %y extents(%n, %n) strides(%s, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
// Lines that begin elsewhere in another iteration may meet there alone.
func.func @moving_columns(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32, %s: i32) attributes {tile.kernel = "moving_columns"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c132 = arith.constant 132 : i32
  %b = tile.block_index 0
  scf.for %i = %b to %n step %c132 : i32 {
    %row = arith.muli %i, %c8 : i32
    %v = tile.view_load %x extents(%n, %n) strides(%s, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
    %sum = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
    %a = tile.broadcast %sum : tensor<8x1xf32> -> tensor<8x4096xf32>
    %d = tile.binary div %v, %a : tensor<8x4096xf32>
    tile.view_store %d, %y extents(%n, %n) strides(%s, %c1) starts(%row, %i)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
// So may lines with gaps.
func.func @spread_columns(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32, %s: i32) attributes {tile.kernel = "spread_columns"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c132 = arith.constant 132 : i32
  %b = tile.block_index 0
  scf.for %i = %b to %n step %c132 : i32 {
    %row = arith.muli %i, %c8 : i32
    %v = tile.view_load %x extents(%n, %n) strides(%s, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
    %sum = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
    %a = tile.broadcast %sum : tensor<8x1xf32> -> tensor<8x4096xf32>
    %d = tile.binary div %v, %a : tensor<8x4096xf32>
    tile.view_store %d, %y extents(%n, %n) strides(%s, %s) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, -1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
// Two stores may meet where neither meets itself.
func.func @two_stores(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32, %s: i32) attributes {tile.kernel = "two_stores"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c132 = arith.constant 132 : i32
  %b = tile.block_index 0
  scf.for %i = %b to %n step %c132 : i32 {
    %row = arith.muli %i, %c8 : i32
    %v = tile.view_load %x extents(%n, %n) strides(%s, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
    %sum = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
    %a = tile.broadcast %sum : tensor<8x1xf32> -> tensor<8x4096xf32>
    %d = tile.binary div %v, %a : tensor<8x4096xf32>
    tile.view_store %d, %y extents(%n, %n) strides(%s, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
    tile.view_store %v, %y extents(%n, %n) strides(%s, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
// A view that moves has other rows.
func.func @rows_aside(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32, %s: i32) attributes {tile.kernel = "rows_aside"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c132 = arith.constant 132 : i32
  %b = tile.block_index 0
  scf.for %i = %b to %n step %c132 : i32 {
    %row = arith.muli %i, %c8 : i32
    %moved = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = tile.view_load %x extents(%n, %n) strides(%s, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
    %sum = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
    %a = tile.broadcast %sum : tensor<8x1xf32> -> tensor<8x4096xf32>
    %d = tile.binary div %v, %a : tensor<8x4096xf32>
    tile.view_store %d, %moved extents(%n, %n) strides(%s, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @end() {
  return
}
}
