// Accumulators that are rescaled by what a running maximum has grown are marked, where they have twice as many elements as the scores.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --tile-assign-layouts --cse --tile-register-operands --tile-overlap-chains --tile-skip-rescales --split-input-file %s | FileCheck %s

// The factor stands second.
// CHECK-LABEL: func.func @running_maximum(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[DONE:.*]] = tile.mma_finish
// CHECK: %[[DONE:.*]] = tile.mma_finish
// CHECK: tile.binary mul %[[DONE]], %{{.*}} {tile.usually_one}
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @running_maximum(%q: !llvm.ptr {tile.restrict}, %any_k: !llvm.ptr {tile.restrict}, %any_v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "running_maximum"} {
  %k = tile.assume %any_k {aligned = 16 : i64} : !llvm.ptr
  %v = tile.assume %any_v {aligned = 16 : i64} : !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %start = tile.splat %low : f32 -> tensor<128x1xf32>
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %none = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sum:2 = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero, %m = %start) -> (tensor<128x128xf32>, tensor<128x1xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %score = tile.mma %query, %t, %none : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %top = tile.reduce max %score along 1 : tensor<128x64xf32> -> tensor<128x1xf32>
    %now = tile.binary max %m, %top : tensor<128x1xf32>
    %all = tile.broadcast %now : tensor<128x1xf32> -> tensor<128x64xf32>
    %x_ = tile.binary sub %score, %all : tensor<128x64xf32>
    %p = tile.unary exp2 %x_ : tensor<128x64xf32>
    %grown = tile.binary sub %m, %now : tensor<128x1xf32>
    %alpha = tile.unary exp2 %grown : tensor<128x1xf32>
    %alphas = tile.broadcast %alpha : tensor<128x1xf32> -> tensor<128x128xf32>
    %f = tile.binary mul %alphas, %s : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x64xf32> -> tensor<128x64xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next, %now : tensor<128x128xf32>, tensor<128x1xf32>
  }
  %c = tile.cast %sum#0 : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
// -----

// As many scores as sums: the question would cost as much as the products.
// CHECK-LABEL: func.func @as_many_scores(
// CHECK-NOT: tile.usually_one
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @as_many_scores(%q: !llvm.ptr {tile.restrict}, %any_k: !llvm.ptr {tile.restrict}, %any_v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "as_many_scores"} {
  %k = tile.assume %any_k {aligned = 16 : i64} : !llvm.ptr
  %v = tile.assume %any_v {aligned = 16 : i64} : !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %start = tile.splat %low : f32 -> tensor<128x1xf32>
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %none = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sum:2 = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero, %m = %start) -> (tensor<128x128xf32>, tensor<128x1xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %none : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %top = tile.reduce max %score along 1 : tensor<128x128xf32> -> tensor<128x1xf32>
    %now = tile.binary max %m, %top : tensor<128x1xf32>
    %all = tile.broadcast %now : tensor<128x1xf32> -> tensor<128x128xf32>
    %x_ = tile.binary sub %score, %all : tensor<128x128xf32>
    %p = tile.unary exp2 %x_ : tensor<128x128xf32>
    %grown = tile.binary sub %m, %now : tensor<128x1xf32>
    %alpha = tile.unary exp2 %grown : tensor<128x1xf32>
    %alphas = tile.broadcast %alpha : tensor<128x1xf32> -> tensor<128x128xf32>
    %f = tile.binary mul %alphas, %s : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next, %now : tensor<128x128xf32>, tensor<128x1xf32>
  }
  %c = tile.cast %sum#0 : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
// -----

// A factor that is not 1 while the maximum stays.
// CHECK-LABEL: func.func @other_factor(
// CHECK-NOT: tile.usually_one
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @other_factor(%q: !llvm.ptr {tile.restrict}, %any_k: !llvm.ptr {tile.restrict}, %any_v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "other_factor"} {
  %k = tile.assume %any_k {aligned = 16 : i64} : !llvm.ptr
  %v = tile.assume %any_v {aligned = 16 : i64} : !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %start = tile.splat %low : f32 -> tensor<128x1xf32>
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %none = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sum:2 = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero, %m = %start) -> (tensor<128x128xf32>, tensor<128x1xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %score = tile.mma %query, %t, %none : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %top = tile.reduce max %score along 1 : tensor<128x64xf32> -> tensor<128x1xf32>
    %now = tile.binary max %m, %top : tensor<128x1xf32>
    %all = tile.broadcast %now : tensor<128x1xf32> -> tensor<128x64xf32>
    %x_ = tile.binary sub %score, %all : tensor<128x64xf32>
    %p = tile.unary exp2 %x_ : tensor<128x64xf32>
    %grown = tile.binary sub %top, %now : tensor<128x1xf32>
    %alpha = tile.unary exp2 %grown : tensor<128x1xf32>
    %alphas = tile.broadcast %alpha : tensor<128x1xf32> -> tensor<128x128xf32>
    %f = tile.binary mul %alphas, %s : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x64xf32> -> tensor<128x64xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next, %now : tensor<128x128xf32>, tensor<128x1xf32>
  }
  %c = tile.cast %sum#0 : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
