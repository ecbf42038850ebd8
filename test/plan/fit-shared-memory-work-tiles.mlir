// Kernels that stand beside others: planned with a warp that copies where that can be, else without. One that merges nothing goes then.
// RUN: %tessera-opt --tile-fit-shared-memory --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @k(
// CHECK-SAME: tile.cycles
// CHECK-NOT: tile.producer_warp registers {{[0-9]+}} {
// CHECK-LABEL: func.func @k.merged(
// CHECK-SAME: tile.warp_specialized = 232
// CHECK: tile.producer_warp registers {{[0-9]+}} {
// CHECK: tile.store_parts
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @k(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "k", tile.cycles = 1024 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @k.merged(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "k.merged", tile.cycles = 1024 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Two stores to one tensor, whose parts would leave in no order. The kernel that is left is one for all grids again.
// CHECK-LABEL: func.func @k(
// CHECK-NOT: tile.cycles
// CHECK-NOT: func.func @k.merged
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @k(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "k", tile.cycles = 1024 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%c0, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @k.merged(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "k.merged", tile.cycles = 1024 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%c0, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Doubles of the sum take 256 registers of a thread, which is more than it has beside the warp.
// CHECK-LABEL: func.func @k(
// CHECK-SAME: tile.cycles
// CHECK-LABEL: func.func @k.merged(
// CHECK-NOT: tile.producer_warp registers {{[0-9]+}} {
// CHECK: tile.view_store
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @k(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "k", tile.cycles = 1024 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  %w = tile.cast %sum : tensor<128x256xf32> -> tensor<128x256xf64>
  tile.view_store %w, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf64> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @k.merged(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "k.merged", tile.cycles = 1024 : i64, tile.coarsening = array<i64: 2, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  %w = tile.cast %sum : tensor<128x256xf32> -> tensor<128x256xf64>
  tile.view_store %w, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf64> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
