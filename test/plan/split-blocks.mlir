// Eight rows of a block: the second kernel has a block for each row. What a program asks of its grid stays as it is.
// RUN: %tessera-opt --split-input-file --tile-split-blocks --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: tile.view_load {{.*}} -> tensor<8x4096xf32>
// CHECK-LABEL: func.func @rows.split(
// CHECK-SAME: tile.block_parts = 8
// CHECK-SAME: tile.coarsened_from = "rows"
// CHECK-SAME: tile.kernel = "rows_split"
// CHECK-DAG: %[[OWN:.*]] = tile.block_index 0
// CHECK-DAG: %[[BLOCK:.*]] = arith.divui %[[OWN]], %c8
// CHECK-DAG: %[[PART:.*]] = arith.remui %[[OWN]], %c8
// CHECK-NOT: scf.for %{{.*}} to %c8
// CHECK: %[[ROW:.*]] = arith.muli %[[BLOCK]], %c8
// CHECK: %[[START:.*]] = arith.addi %[[ROW]], %[[PART]]
// CHECK: tile.view_load {{.*}} starts(%[[START]], {{.*}} -> tensor<1x4096xf32>
// CHECK: tile.reduce sum %{{.*}} along 1 : tensor<1x4096xf32>
// CHECK: tile.view_store {{.*}} : tensor<1x4096xf32>
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @rows(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "rows"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c4096 = arith.constant 4096 : i32
  %b = tile.block_index 0
  %row = arith.muli %b, %c8 : i32
  %v = tile.view_load %x extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
  %s = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
  %a = tile.broadcast %s : tensor<8x1xf32> -> tensor<8x4096xf32>
  %d = tile.binary div %v, %a : tensor<8x4096xf32>
  tile.view_store %d, %y extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Others launch the kernels of an image: they have no second one.
// CHECK-LABEL: func.func @image(
// CHECK-NOT: func.func
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @image(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "image"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c4096 = arith.constant 4096 : i32
  %b = tile.block_index 0
  %row = arith.muli %b, %c8 : i32
  %v = tile.view_load %x extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
  %s = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
  %a = tile.broadcast %s : tensor<8x1xf32> -> tensor<8x4096xf32>
  tile.view_store %a, %y extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Columns are reduced: a part of them would be a piece of each line.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: func.func
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @columns(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "columns"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %b = tile.block_index 0
  %column = arith.muli %b, %c8 : i32
  %v = tile.view_load %x extents(%n, %n) strides(%n, %c1) starts(%c0, %column) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<4096x8xf32>
  %s = tile.reduce sum %v along 0 : tensor<4096x8xf32> -> tensor<1x8xf32>
  tile.view_store %s, %y extents(%n, %n) strides(%n, %c1) starts(%c0, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x8xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// The result is stored transposed: a part of the rows would be a piece of each of its lines.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: func.func
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @transposed(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "transposed"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c4096 = arith.constant 4096 : i32
  %b = tile.block_index 0
  %row = arith.muli %b, %c8 : i32
  %v = tile.view_load %x extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
  %s = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
  %a = tile.broadcast %s : tensor<8x1xf32> -> tensor<8x4096xf32>
  %t = tile.permute %a [1, 0] : tensor<8x4096xf32> -> tensor<4096x8xf32>
  tile.view_store %t, %y extents(%c4096, %n) strides(%n, %c1) starts(%c0, %row)
      {staticExtents = array<i64: 4096, -1>, staticStrides = array<i64: -1, 1>} : tensor<4096x8xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Two stores may write one row, in the order of the program: all rows by the first, then all by the second.
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: func.func
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @twice(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "twice"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c4096 = arith.constant 4096 : i32
  %b = tile.block_index 0
  %row = arith.muli %b, %c8 : i32
  %v = tile.view_load %x extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
  %s = tile.reduce sum %v along 1 : tensor<8x4096xf32> -> tensor<8x1xf32>
  %a = tile.broadcast %s : tensor<8x1xf32> -> tensor<8x4096xf32>
  tile.view_store %a, %y extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  %next = llvm.getelementptr %y[4096] : (!llvm.ptr) -> !llvm.ptr, f32
  tile.view_store %v, %next extents(%n, %c4096) strides(%c4096, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
