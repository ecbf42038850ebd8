// A row that an iteration reads beside its operands is copied by the producer warp, too: into the stages of an operand whose last multiply takes what is computed from all of it.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --split-input-file %s | FileCheck %s
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --tile-assign-layouts --cse --tile-register-operands --tile-overlap-chains --tile-defer-waits --split-input-file %s | FileCheck %s --check-prefix=DEFERRED

// Both rows lead to the last multiply that reads the queries. Each copy arrives at the barrier of the stage.
// CHECK-LABEL: func.func @gradients.coarsened
// CHECK: %[[Q:.*]] = tile.shared_alloc stages 4 : <64x128xbf16, panels>
// CHECK: %[[L:.*]] = tile.shared_alloc stages 4 : <64xf32, 0, 0, 0>
// CHECK: %[[E:.*]] = tile.shared_alloc stages 4 : <64xf32, 0, 0, 0>
// CHECK: %[[RQ:.*]] = tile.init_barriers %{{.*}} stages 4 copies 3 {readers = 2 : i64}
// CHECK: tile.init_barriers %{{.*}} stages 4 copies 1 {readers = 2 : i64}
// CHECK: tile.producer_warp
// CHECK: tile.producer_acquire %[[RQ]][%[[FILL:.*]] : i32]
// CHECK: tile.copy_async {{.*}} by %{{.*}} at %[[RQ]]
// CHECK: %[[LF:.*]] = tile.shared_slot %[[L]][%[[FILL]] : i32]
// CHECK: tile.copy_async %[[LF]], {{.*}} at %[[RQ]]
// CHECK: %[[EF:.*]] = tile.shared_slot %[[E]][%[[FILL]] : i32]
// CHECK: tile.copy_async %[[EF]], {{.*}} at %[[RQ]]
// CHECK: tile.wait_group 0 of %[[RQ]][%[[READ:.*]] : i32]
// CHECK-NEXT: tile.shared_slot %[[Q]][%[[READ]] : i32]
// CHECK-NEXT: %[[LS:.*]] = tile.shared_slot %[[L]][%[[READ]] : i32]
// CHECK-NEXT: %[[ES:.*]] = tile.shared_slot %[[E]][%[[READ]] : i32]
// CHECK: tile.shared_load %[[LS]]
// CHECK: tile.shared_load %[[ES]]
// CHECK: tile.consumer_release %[[RQ]][%[[READ]] : i32]

// Threads load a row when its accumulator is there. The stage is released behind the last multiply.
// DEFERRED-LABEL: func.func @gradients.coarsened
// DEFERRED: tile.producer_warp
// DEFERRED: tile.wait_group 0 of %[[RQ:.*]][%[[READ:.*]] : i32]
// DEFERRED: %[[LS:.*]] = tile.shared_slot
// DEFERRED: %[[S:.*]] = tile.shared_mma wgmma {{.*}} {bTransposed, inFlight}
// DEFERRED: %[[DP:.*]] = tile.shared_mma wgmma {{.*}} {bTransposed, inFlight}
// DEFERRED: tile.mma_finish %[[S]] pending 1
// DEFERRED: tile.shared_load
// DEFERRED: tile.unary exp2
// DEFERRED: tile.mma_finish %[[DP]] pending 1
// DEFERRED: tile.shared_load
// DEFERRED: %[[DK:.*]] = tile.shared_mma
// DEFERRED-NOT: tile.consumer_release %[[RQ]]
// DEFERRED: tile.mma_finish %[[DK]] :
// DEFERRED: tile.consumer_release %[[RQ]][%[[READ]] : i32]
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @gradients.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %l: !llvm.ptr {tile.restrict}, %e: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "gradients_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %zeros = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sums:2 = scf.for %i = %c0 to %n step %c64 iter_args(%dv = %zeros, %dk = %zeros) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %qt = tile.permute %query [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %s = tile.mma %key, %qt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %lse = tile.view_load %l extents(%n) strides(%c1) starts(%i) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
    %lse1 = tile.reshape %lse : tensor<64xf32> -> tensor<1x64xf32>
    %lse2 = tile.broadcast %lse1 : tensor<1x64xf32> -> tensor<128x64xf32>
    %sl = tile.binary sub %s, %lse2 : tensor<128x64xf32>
    %p = tile.unary exp2 %sl : tensor<128x64xf32>
    %pb = tile.cast %p : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dout = tile.view_load %d extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %dv2 = tile.mma %pb, %dout, %dv : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %dt = tile.permute %dout [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %dp = tile.mma %value, %dt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %delta = tile.view_load %e extents(%n) strides(%c1) starts(%i) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
    %delta1 = tile.reshape %delta : tensor<64xf32> -> tensor<1x64xf32>
    %delta2 = tile.broadcast %delta1 : tensor<1x64xf32> -> tensor<128x64xf32>
    %dpe = tile.binary sub %dp, %delta2 : tensor<128x64xf32>
    %ds = tile.binary mul %p, %dpe : tensor<128x64xf32>
    %dsb = tile.cast %ds : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dk2 = tile.mma %dsb, %query, %dk : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %dv2, %dk2 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  %both = tile.binary add %sums#0, %sums#1 : tensor<128x128xf32>
  tile.view_store %both, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// A bulk copy pads with zeros: this row is read by threads.
// CHECK-LABEL: func.func @padded.coarsened
// CHECK: tile.producer_warp
// CHECK-NOT: <64xf32, 0, 0, 0>
// CHECK: tile.wait_group 0 of
// CHECK: tile.view_load %{{.*}} padding negative_inf
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @padded.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %l: !llvm.ptr {tile.restrict}, %e: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "padded_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %zeros = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sums:2 = scf.for %i = %c0 to %n step %c64 iter_args(%dv = %zeros, %dk = %zeros) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %qt = tile.permute %query [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %s = tile.mma %key, %qt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %lse = tile.view_load %l extents(%n) strides(%c1) starts(%i) padding negative_inf
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
    %lse1 = tile.reshape %lse : tensor<64xf32> -> tensor<1x64xf32>
    %lse2 = tile.broadcast %lse1 : tensor<1x64xf32> -> tensor<128x64xf32>
    %sl = tile.binary sub %s, %lse2 : tensor<128x64xf32>
    %p = tile.unary exp2 %sl : tensor<128x64xf32>
    %pb = tile.cast %p : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dout = tile.view_load %d extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %dv2 = tile.mma %pb, %dout, %dv : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %dt = tile.permute %dout [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %dp = tile.mma %value, %dt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %dpe = tile.binary sub %dp, %p : tensor<128x64xf32>
    %ds = tile.binary mul %p, %dpe : tensor<128x64xf32>
    %dsb = tile.cast %ds : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dk2 = tile.mma %dsb, %query, %dk : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %dv2, %dk2 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  %both = tile.binary add %sums#0, %sums#1 : tensor<128x128xf32>
  tile.view_store %both, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// What is carried on takes the row, too, and no multiply waits for that.
// CHECK-LABEL: func.func @carried.coarsened
// CHECK: tile.producer_warp
// CHECK: tile.wait_group 0 of
// CHECK: tile.view_load %{{.*}} -> tensor<64xf32>
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @carried.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %l: !llvm.ptr {tile.restrict}, %e: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "carried_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %zeros = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %none = tile.splat %f0 : f32 -> tensor<64xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sums:3 = scf.for %i = %c0 to %n step %c64 iter_args(%dv = %zeros, %dk = %zeros, %w = %none) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<64xf32>) : i32 {
    %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %qt = tile.permute %query [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %s = tile.mma %key, %qt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %lse = tile.view_load %l extents(%n) strides(%c1) starts(%i) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
    %lse1 = tile.reshape %lse : tensor<64xf32> -> tensor<1x64xf32>
    %lse2 = tile.broadcast %lse1 : tensor<1x64xf32> -> tensor<128x64xf32>
    %sl = tile.binary sub %s, %lse2 : tensor<128x64xf32>
    %p = tile.unary exp2 %sl : tensor<128x64xf32>
    %pb = tile.cast %p : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dout = tile.view_load %d extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %dv2 = tile.mma %pb, %dout, %dv : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %dt = tile.permute %dout [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %dp = tile.mma %value, %dt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %dpe = tile.binary sub %dp, %p : tensor<128x64xf32>
    %ds = tile.binary mul %p, %dpe : tensor<128x64xf32>
    %dsb = tile.cast %ds : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dk2 = tile.mma %dsb, %query, %dk : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %w2 = tile.binary add %w, %lse : tensor<64xf32>
    scf.yield %dv2, %dk2, %w2 : tensor<128x128xf32>, tensor<128x128xf32>, tensor<64xf32>
  }
  %both = tile.binary add %sums#0, %sums#1 : tensor<128x128xf32>
  tile.view_store %both, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sums#2, %e extents(%n) strides(%c1) starts(%c0)
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<64xf32> (i32) (i32) (i32)
  return
}
}

// -----

// Two multiplies with operands of their own overlap: the stage of the second one is waited for when its row is read, in front of the multiply of an iteration later.
// DEFERRED-LABEL: func.func @biased.coarsened
// DEFERRED: tile.producer_warp
// DEFERRED: scf.if
// DEFERRED: tile.shared_mma wgmma
// DEFERRED: tile.wait_group 0 of %[[RV:.*]][%{{.*}} : i32]
// DEFERRED: tile.shared_load
// DEFERRED: scf.for
// DEFERRED-NEXT: tile.wait_group 0 of %[[RK:[^ ]*]][
// DEFERRED: %[[S:.*]] = tile.shared_mma wgmma {{.*}} inFlight}
// DEFERRED-NOT: tile.wait_group
// DEFERRED: %[[O:.*]] = tile.shared_mma wgmma {{.*}} {inFlight}
// DEFERRED: tile.mma_finish %[[S]] pending 1
// DEFERRED-NEXT: tile.consumer_release %[[RK]]
// DEFERRED: tile.wait_group 0 of %[[RV]][
// DEFERRED: tile.shared_load
// DEFERRED: tile.mma_finish %[[O]] :
// DEFERRED: tile.consumer_release %[[RV]]
// DEFERRED: scf.yield
// DEFERRED-NOT: tile.wait_group
// DEFERRED: tile.shared_mma wgmma
// DEFERRED-NEXT: tile.consumer_release %[[RV]]
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @biased.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "biased_persistent", tile.cycles = 1 : i64, tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
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
    %bias = tile.view_load %r extents(%n) strides(%c1) starts(%i) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<128xf32>
    %bias1 = tile.reshape %bias : tensor<128xf32> -> tensor<1x128xf32>
    %bias2 = tile.broadcast %bias1 : tensor<1x128xf32> -> tensor<128x128xf32>
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %zero : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %sb = tile.binary add %score, %bias2 : tensor<128x128xf32>
    %p = tile.unary exp2 %sb : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %s : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  tile.view_store %sum, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
