// Two loops whose fp8 values are transposed by warps in the one, and have their rows along K already in the other. Both tiles are square and have one
// type, but a ring cannot be for both: there is no producer warp.
// RUN: %tessera-opt --tile-permute-k --tile-select-mma-instructions --tile-specialize-chains %s | FileCheck %s

// CHECK-LABEL: func.func @attention.coarsened
// CHECK-NOT: producer_warp
// CHECK-NOT: transpose_stage
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @attention.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "attention_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
  %first = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
    %t = tile.permute %key [1, 0] : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %score = tile.mma %query, %t, %zero : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    %b = tile.cast %score : tensor<128x128xf32> -> tensor<128x128xf8E4M3FN>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
    %next = tile.mma %b, %value, %s : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %sum = scf.for %i = %c0 to %n step %c128 iter_args(%s = %first) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
    %t = tile.permute %key [1, 0] : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %score = tile.mma %query, %t, %zero : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    %b = tile.cast %score : tensor<128x128xf32> -> tensor<128x128xf8E4M3FN>
    %across = tile.view_load %v extents(%c128, %n) strides(%n, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: 128, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
    %value = tile.permute %across [1, 0] : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %next = tile.mma %b, %value, %s : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
