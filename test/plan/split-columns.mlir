// Rows that exceed the registers of 16 warps: a loop over parts of their columns for each reduction that depends on another one, and one for the result.
// RUN: %tessera-opt --split-input-file --tile-split-columns --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// CHECK: %[[TOPS:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c65536{{.*}} step %c16384{{.*}} iter_args(%[[TOP:.*]] = %
// CHECK-NEXT: %[[X:.*]] = tile.view_load {{.*}} starts(%{{.*}}, %[[I]]) {{.*}} -> tensor<1x16384xf32>
// CHECK-NEXT: %[[MAX:.*]] = tile.binary max %[[TOP]], %[[X]]
// CHECK-NEXT: scf.yield %[[MAX]]
// CHECK: %[[M:.*]] = tile.reduce max %[[TOPS]] along 1 : tensor<1x16384xf32> -> tensor<1x1xf32>
// CHECK: %[[SUMS:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: %[[X:.*]] = tile.view_load {{.*}} starts(%{{.*}}, %[[I]])
// CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[M]]
// CHECK-NEXT: %[[D:.*]] = tile.binary sub %[[X]], %[[B]]
// CHECK-NEXT: %[[E:.*]] = tile.unary exp %[[D]]
// CHECK-NEXT: tile.binary add %[[SUM]], %[[E]]
// CHECK: %[[S:.*]] = tile.reduce sum %[[SUMS]] along 1
// CHECK: tile.view_store %[[S]], %arg2
// CHECK: scf.for %[[I:.*]] =
// CHECK: tile.unary exp
// CHECK: tile.broadcast %[[S]]
// CHECK: tile.view_store {{.*}} starts(%{{.*}}, %[[I]]) {{.*}} tensor<1x16384xf32>
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @softmax(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %sums: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "softmax"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant 65536 : i32
  %row = tile.block_index 0
  %v = tile.view_load %x extents(%n, %all) strides(%all, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 65536>, staticStrides = array<i64: 65536, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x65536xf32>
  %m = tile.reduce max %v along 1 : tensor<1x65536xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x65536xf32>
  %d = tile.binary sub %v, %b : tensor<1x65536xf32>
  %e = tile.unary exp %d : tensor<1x65536xf32>
  %s = tile.reduce sum %e along 1 : tensor<1x65536xf32> -> tensor<1x1xf32>
  %a = tile.broadcast %s : tensor<1x1xf32> -> tensor<1x65536xf32>
  %r = tile.binary div %e, %a : tensor<1x65536xf32>
  tile.view_store %r, %y extents(%n, %all) strides(%all, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 65536>, staticStrides = array<i64: 65536, 1>} : tensor<1x65536xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %s, %sums extents(%n, %c1) strides(%c1, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 1>, staticStrides = array<i64: 1, 1>} : tensor<1x1xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----
// A result that may be the operand; a scan, which combines columns; a row that has room.
// CHECK-LABEL: func.func @aliased(
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @scanned(
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.for
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @aliased(%x: !llvm.ptr, %y: !llvm.ptr, %n: i32) attributes {tile.kernel = "aliased"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant 65536 : i32
  %row = tile.block_index 0
  %v = tile.view_load %x extents(%n, %all) strides(%all, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 65536>, staticStrides = array<i64: 65536, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x65536xf32>
  %m = tile.reduce max %v along 1 : tensor<1x65536xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x65536xf32>
  %d = tile.binary sub %v, %b : tensor<1x65536xf32>
  tile.view_store %d, %y extents(%n, %all) strides(%all, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 65536>, staticStrides = array<i64: 65536, 1>} : tensor<1x65536xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @scanned(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "scanned"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant 65536 : i32
  %row = tile.block_index 0
  %v = tile.view_load %x extents(%n, %all) strides(%all, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 65536>, staticStrides = array<i64: 65536, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x65536xf32>
  %m = tile.reduce max %v along 1 : tensor<1x65536xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x65536xf32>
  %t = tile.scan sum %v along 1 : tensor<1x65536xf32>
  %d = tile.binary sub %t, %b : tensor<1x65536xf32>
  tile.view_store %d, %y extents(%n, %all) strides(%all, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 65536>, staticStrides = array<i64: 65536, 1>} : tensor<1x65536xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @small(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "small"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant 32768 : i32
  %row = tile.block_index 0
  %v = tile.view_load %x extents(%n, %all) strides(%all, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 32768>, staticStrides = array<i64: 32768, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x32768xf32>
  %m = tile.reduce max %v along 1 : tensor<1x32768xf32> -> tensor<1x1xf32>
  tile.view_store %m, %y extents(%n, %c1) strides(%c1, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 1>, staticStrides = array<i64: 1, 1>} : tensor<1x1xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
// A row of 32768 that is read with another array exceeds the registers with it.
// CHECK-LABEL: func.func @weighted(
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32768{{.*}} step %c16384
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c32768{{.*}} step %c16384
// CHECK-DAG: tile.view_load %arg0 {{.*}} -> tensor<1x16384xf32>
// CHECK-DAG: tile.view_load %arg2 {{.*}} -> tensor<1x16384xf32>
func.func @weighted(%x: !llvm.ptr {tile.restrict}, %y: !llvm.ptr {tile.restrict}, %w: !llvm.ptr {tile.restrict}, %n: i32) attributes {tile.kernel = "weighted"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant 32768 : i32
  %row = tile.block_index 0
  %v = tile.view_load %x extents(%n, %all) strides(%all, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 32768>, staticStrides = array<i64: 32768, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x32768xf32>
  %g = tile.view_load %w extents(%c1, %all) strides(%all, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: 1, 32768>, staticStrides = array<i64: 32768, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x32768xf32>
  %m = tile.reduce max %v along 1 : tensor<1x32768xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x32768xf32>
  %d = tile.binary sub %v, %b : tensor<1x32768xf32>
  %r = tile.binary mul %d, %g : tensor<1x32768xf32>
  tile.view_store %r, %y extents(%n, %all) strides(%all, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 32768>, staticStrides = array<i64: 32768, 1>} : tensor<1x32768xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
