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
// CHECK: %[[Q:.*]] = tile.shared_alloc stages 2 : <128x128xbf16, panels>
// CHECK: %[[RQ:.*]] = tile.init_barriers %{{.*}} stages 2 copies 1 {readers = 2 : i64}
// CHECK: tile.producer_warp registers 24 {
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[FQ:[^ ]*]] = %c0_i32{{[_0-9]*}})
// The operand from before the loop arrives once in each work tile, and that of the next one while this one is multiplied.
// CHECK: tile.producer_acquire %[[RQ]][%[[FQ]] : i32]
// CHECK: tile.copy_async {{.*}} at %[[RQ]]
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[FK:.*]] = %{{.*}}, %[[FV:.*]] = %
// CHECK-NEXT: tile.producer_acquire %[[RK]][%[[FK]] : i32]
// CHECK: tile.copy_async {{.*}} starts(%[[I]], {{.*}} at %[[RK]]
// CHECK: tile.producer_acquire %[[RV]][%[[FV]] : i32]
// CHECK: tile.copy_async {{.*}} starts(%[[I]], {{.*}} at %[[RV]]
// CHECK: tile.wait_group 0 of %[[RQ]][%[[QS:.*]] : i32]
// CHECK: %[[Q0:.*]] = tile.shared_slot %[[Q]][%[[QS]] : i32]
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[READ:[^ ]*]] = %{{[^,]*}}, %[[READV:[^ ]*]] =
// CHECK-NEXT: tile.wait_group 0 of %[[RK]][%[[READ]] : i32]
// CHECK-NEXT: %[[SLOT:.*]] = tile.shared_slot %[[K]][%[[READ]] : i32]
// CHECK-NEXT: tile.shared_mma wgmma %[[Q0]], %[[SLOT]]
// CHECK-NEXT: tile.consumer_release %[[RK]][%[[READ]] : i32]
// CHECK: tile.wait_group 0 of %[[RV]][%[[READV]] : i32]
// CHECK: tile.shared_mma wgmma
// CHECK-NEXT: tile.consumer_release %[[RV]][%[[READV]] : i32]
// CHECK: }
// A work tile without iterations: no warp may still wait for what is released.
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.consumer_release %[[RQ]][%[[QS]] : i32]
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

// The number of iterations is read from memory that the kernel may write: the producer warp would read it at another time.
// CHECK-LABEL: func.func @bound.coarsened
// CHECK-NOT: producer_warp
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @bound.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr, %n: i32, %counts: !llvm.ptr)
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

// The end of the loop grows with the block's index: work tiles are taken in an order of their own.
// CHECK-LABEL: func.func @causal.coarsened
// CHECK-NOT: tile.unbalanced
// CHECK: tile.producer_warp
// CHECK: scf.for %[[LINEAR:[^ ]*]] = %
// CHECK: %[[TILE:[^ ]*]] = tile.scheduled_work_tile %[[LINEAR]] axis 0{{ *$}}
// CHECK: tile.block_index 0 of %[[TILE]]
// CHECK: %[[TILE:[^ ]*]] = tile.scheduled_work_tile %{{[^ ]*}} axis 0{{ *$}}
// CHECK: tile.block_index 0 of %[[TILE]]
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

// -----

// It falls with it.
// CHECK-LABEL: func.func @reversed.coarsened
// CHECK: tile.scheduled_work_tile %{{.*}} axis 0 longestFirst
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @reversed.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "reversed_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %first = tile.block_index 0
  %blocks = tile.grid_size 0
  %last = arith.subi %blocks, %c1 : i32
  %x = arith.subi %last, %first : i32
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

// -----

// It depends on two indices: no order is known, and each work tile has a block of its own. The operand
// from before the loop does not arrive ahead of anything: threads load it.
// CHECK-LABEL: func.func @skewed.coarsened
// CHECK-SAME: tile.unbalanced
// CHECK-NOT: tile.scheduled_work_tile
// CHECK: tile.producer_warp
// CHECK-NOT: stages 1
// CHECK: tile.view_load %arg0
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @skewed.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "skewed_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %y = tile.block_index 1
  %more = arith.addi %row, %y : i32
  %end = arith.addi %more, %c128 : i32
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

// An operand that is computed before the loop is stored once for each work tile.
// CHECK-LABEL: func.func @scaled.coarsened
// CHECK: scf.for
// CHECK: tile.shared_store %{{.*}}, %[[Q:.*]] : tensor<128x128xbf16>
// CHECK: scf.for
// CHECK: tile.shared_mma wgmma %[[Q]],
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @scaled.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "scaled_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
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
  %twice = tile.binary add %query, %query : tensor<128x128xbf16>
  %sum = scf.for %i = %c0 to %end step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %twice, %t, %zero : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
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

// What a block learns from an atomic shows which blocks came before.
// CHECK-LABEL: func.func @observed.coarsened
// CHECK-SAME: tile.unbalanced
// CHECK-NOT: tile.scheduled_work_tile
// CHECK: tile.producer_warp
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @observed.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32, %flag: !llvm.ptr {tile.restrict})
    attributes {tile.kernel = "observed_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
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
  %true = arith.constant true
  %old = tile.atomic_rmw add %flag, %c1, %true relaxed device : !llvm.ptr, i32, i1
  llvm.store %old, %flag : i32, !llvm.ptr
  return
}
}

// -----

// Results may lie in the place of the queries: those of another block do not.
// CHECK-LABEL: func.func @in_place.coarsened
// CHECK-COUNT-3: tile.init_barriers %{{.*}} stages 2 copies 1 {readers = 2 : i64}
// CHECK: tile.scheduled_work_tile
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @in_place.coarsened(%q: !llvm.ptr, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr, %n: i32)
    attributes {tile.kernel = "in_place_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
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
