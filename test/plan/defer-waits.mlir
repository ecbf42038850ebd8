// A chain of four multiplies, two by two of one operand: each load has one ring, of which the last multiply releases a stage. Multiplies start as early as their operands are there, and are awaited where their accumulators are read.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --tile-assign-layouts --cse --tile-register-operands --tile-overlap-chains --tile-defer-waits --split-input-file %s | FileCheck %s
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=RINGS

// The rings, before waits are deferred.
// RINGS-LABEL: func.func @gradients.coarsened
// RINGS: tile.producer_warp
// RINGS: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[READ:[^ ]*]] = %{{[^,]*}}, %[[READD:[^ ]*]] = %{{[^)]*}})
// RINGS-NEXT: tile.wait_group 0 of %[[RQ:.*]][%[[READ]] : i32]
// RINGS-NEXT: %[[Q:.*]] = tile.shared_slot %{{.*}}[%[[READ]] : i32]
// RINGS-NEXT: tile.shared_mma wgmma %{{.*}}, %[[Q]], {{.*}} {bTransposed}
// RINGS-NOT: tile.consumer_release
// RINGS: tile.wait_group 0 of %[[RD:.*]][%[[READD]] : i32]
// RINGS-NEXT: %[[D:.*]] = tile.shared_slot %{{.*}}[%[[READD]] : i32]
// RINGS: tile.shared_mma wgmma %{{.*}}, %[[D]],
// RINGS-NOT: tile.consumer_release
// RINGS: tile.shared_mma wgmma %{{.*}}, %[[D]], {{.*}} {bTransposed}
// RINGS-NEXT: tile.consumer_release %[[RD]][%[[READD]] : i32]
// RINGS: tile.shared_mma wgmma %{{.*}}, %[[Q]],
// RINGS-NEXT: tile.consumer_release %[[RQ]][%[[READ]] : i32]

// CHECK-LABEL: func.func @gradients.coarsened
// CHECK: tile.producer_warp
// CHECK: scf.for {{.*}} iter_args(%[[DV:[^ ]*]] = %{{[^,]*}}, %[[DK:[^ ]*]] = %{{[^,]*}}, %[[READ:[^ ]*]] = %{{[^,]*}}, %[[READD:[^ ]*]] = %
// The first multiplies, one behind the other.
// CHECK-NEXT: tile.wait_group 0 of %[[RQ:.*]][%[[READ]] : i32]
// CHECK-NEXT: %[[Q:.*]] = tile.shared_slot
// CHECK-NEXT: %[[S:.*]] = tile.shared_mma wgmma %{{.*}}, %[[Q]], {{.*}} {bTransposed, inFlight}
// CHECK-NEXT: tile.wait_group 0 of %[[RD:.*]][%[[READD]] : i32]
// CHECK-NEXT: %[[D:.*]] = tile.shared_slot
// CHECK-NEXT: %[[DP:.*]] = tile.shared_mma wgmma %{{.*}}, %[[D]], {{.*}} {bTransposed, inFlight}
// The first accumulator is computed on while the second multiply is in flight.
// CHECK-NEXT: %[[SCORES:.*]] = tile.mma_finish %[[S]] pending 1
// CHECK-NEXT: %[[P:.*]] = tile.unary exp2 %[[SCORES]]
// CHECK-NEXT: %[[PB:.*]] = tile.cast %[[P]]
// CHECK-NEXT: %[[DV2:.*]] = tile.shared_mma wgmma %[[PB]], %[[D]], %[[DV]] {inFlight}
// CHECK-NEXT: %[[DPS:.*]] = tile.mma_finish %[[DP]] pending 1
// CHECK-NEXT: %[[DS:.*]] = tile.binary mul %[[P]], %[[DPS]]
// CHECK-NEXT: %[[DSB:.*]] = tile.cast %[[DS]]
// CHECK-NEXT: %[[DK2:.*]] = tile.shared_mma wgmma %[[DSB]], %[[Q]], %[[DK]] {inFlight}
// CHECK: %[[DV3:.*]] = tile.mma_finish %[[DV2]] pending 1
// CHECK-NEXT: tile.mma_done %[[PB]]
// CHECK-NEXT: tile.consumer_release %[[RD]][%[[READD]] : i32]
// CHECK-NEXT: %[[DK3:.*]] = tile.mma_finish %[[DK2]] :
// CHECK-NEXT: tile.mma_done %[[DSB]]
// CHECK-NEXT: tile.consumer_release %[[RQ]][%[[READ]] : i32]
// CHECK-NEXT: scf.yield %[[DV3]], %[[DK3]],
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @gradients.coarsened(%q: !llvm.ptr {tile.restrict}, %k: !llvm.ptr {tile.restrict}, %v: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
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
    %p = tile.unary exp2 %s : tensor<128x64xf32>
    %pb = tile.cast %p : tensor<128x64xf32> -> tensor<128x64xbf16>
    %dout = tile.view_load %d extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %dv2 = tile.mma %pb, %dout, %dv : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %dt = tile.permute %dout [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %dp = tile.mma %value, %dt, %zero : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    %ds = tile.binary mul %p, %dp : tensor<128x64xf32>
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
