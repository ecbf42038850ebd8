// A kernel whose loop multiplies in a chain, next to another one: a producer warp fills a ring for each load, and each stage is released by the multiply that reads it.
// RUN: %tessera-opt --split-input-file --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse %s | FileCheck %s
// RUN: sed "s/, tile.coarsened_from = .k.//" %s | %tessera-opt --split-input-file --tile-select-mma-instructions --tile-specialize-chains | FileCheck %s --check-prefix=ALONE

// What stands beside nothing must run whatever the views are.
// ALONE-NOT: producer_warp

// CHECK-LABEL: func.func @attention.coarsened
// CHECK-SAME: tile.warp_specialized = 240
// CHECK: %[[K:.*]] = tile.shared_alloc stages 2 : <128x128xbf16, panels>
// CHECK: %[[RK:.*]] = tile.init_barriers %{{.*}} stages 2 copies 1 {readers = 2 : i64}
// CHECK: %[[V:.*]] = tile.shared_alloc stages 2 : <128x128xbf16, panels>
// CHECK: %[[RV:.*]] = tile.init_barriers %{{.*}} stages 2 copies 1 {readers = 2 : i64}
// CHECK: tile.producer_warp registers 24 {
// CHECK: scf.for
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[FK:.*]] = %{{.*}}, %[[FV:.*]] = %
// CHECK-NEXT: tile.producer_acquire %[[RK]][%[[FK]] : i32]
// CHECK: tile.copy_async {{.*}} starts(%[[I]], {{.*}} at %[[RK]]
// CHECK: tile.producer_acquire %[[RV]][%[[FV]] : i32]
// CHECK: tile.copy_async {{.*}} starts(%[[I]], {{.*}} at %[[RV]]
// The operand from before the loop is stored once for each work tile.
// CHECK: tile.shared_store %{{.*}}, %[[Q:.*]] : tensor<128x128xbf16>
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[READ:[^ ]*]] = %{{[^,]*}}, %[[READV:[^ ]*]] =
// CHECK-NEXT: tile.wait_group 0 of %[[RK]][%[[READ]] : i32]
// CHECK-NEXT: %[[SLOT:.*]] = tile.shared_slot %[[K]][%[[READ]] : i32]
// CHECK-NEXT: tile.shared_mma wgmma %[[Q]], %[[SLOT]]
// CHECK-NEXT: tile.consumer_release %[[RK]][%[[READ]] : i32]
// CHECK: tile.wait_group 0 of %[[RV]][%[[READV]] : i32]
// CHECK: tile.shared_mma wgmma
// CHECK-NEXT: tile.consumer_release %[[RV]][%[[READV]] : i32]
// CHECK: } {tile.work_tiles}
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
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sum = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %zero : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %p = tile.unary exp2 %score : tensor<128x128xf32>
    %f = tile.binary mul %s, %p : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// The number of iterations is read from memory: the producer warp would have to read it again.
// CHECK-LABEL: func.func @bound.coarsened
// CHECK-NOT: producer_warp
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @bound.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32, %counts: !llvm.ptr {tile.restrict})
    attributes {tile.kernel = "bound_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %end = llvm.load %counts : !llvm.ptr -> i32
  %sum = scf.for %i = %c0 to %end step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %zero : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %p = tile.unary exp2 %score : tensor<128x128xf32>
    %f = tile.binary mul %s, %p : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// The end of the loop depends on the block: launches give each work tile a block of its own.
// CHECK-LABEL: func.func @causal.coarsened
// CHECK-SAME: tile.unbalanced
// CHECK: tile.producer_warp
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @causal.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "causal_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %end = arith.addi %row, %c128 : i32
  %sum = scf.for %i = %c0 to %end step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %zero : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %p = tile.unary exp2 %score : tensor<128x128xf32>
    %f = tile.binary mul %s, %p : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
