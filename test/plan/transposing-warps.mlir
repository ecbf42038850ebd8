// A chain of fp8: the operand whose rows run across K is copied by the producer warp, transposed by the other warps of its warpgroup, and read by the
// consumers from a ring of its own. The weights stay in registers, and sums are promoted when their multiply is complete.
// RUN: %tessera-opt --tile-permute-k --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse %s | FileCheck %s
// RUN: %tessera-opt --tile-permute-k --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --tile-assign-layouts --cse --tile-register-operands --tile-overlap-chains %s | FileCheck %s --check-prefix=OVERLAP
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains %s | FileCheck %s --check-prefix=ELSE

// In another order of K the transposing warps do not write it: without pass permute-k there is no producer warp.
// ELSE-NOT: producer_warp

// CHECK-LABEL: func.func @attention.coarsened
// CHECK-SAME: tile.warp_specialized = 232
// The keys, whose rows run along K.
// CHECK: tile.shared_alloc stages 3 :
// CHECK: tile.init_barriers %{{.*}} stages 3 copies 1 {readers = 2 : i64}
// CHECK: %[[RAW:.*]] = tile.shared_alloc stages 3 : <128x128xf8E4M3FN, panels>
// CHECK: %[[RR:.*]] = tile.init_barriers %{{.*}} of %{{[0-9]+}} stages 3 copies 1 {readers = 3 : i64}
// CHECK: %[[V:.*]] = tile.shared_alloc stages 3 : <128x128xf8E4M3FN, panels>
// CHECK: %[[RV:.*]] = tile.init_barriers %{{.*}} of stages 3 copies 3 {readers = 2 : i64}
// CHECK: tile.producer_warp registers 40 {
// CHECK-NEXT: tile.transposing_warps {
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[S:.*]] = %
// CHECK-NEXT: tile.wait_group 0 of %[[RR]][%[[S]] : i32]
// CHECK-NEXT: tile.producer_acquire %[[RV]][%[[S]] : i32]
// CHECK-NEXT: %[[FROM:.*]] = tile.shared_slot %[[RAW]][%[[S]] : i32]
// CHECK-NEXT: %[[TO:.*]] = tile.shared_slot %[[V]][%[[S]] : i32]
// CHECK-NEXT: tile.transpose_stage %[[FROM]], %[[TO]] at %[[RV]][%[[S]] : i32]
// CHECK-NEXT: tile.consumer_release %[[RR]][%[[S]] : i32]
// The producer warp copies into the ring that they read.
// CHECK: tile.producer_acquire %[[RR]][%[[F:.*]] : i32]
// CHECK: tile.copy_async {{.*}} at %[[RR]]
// The consumers read the other one, and store nothing.
// CHECK-NOT: tile.shared_load
// CHECK: tile.wait_group 0 of %[[RV]][%[[READ:.*]] : i32]
// CHECK-NEXT: %[[SLOT:.*]] = tile.shared_slot %[[V]][%[[READ]] : i32]
// CHECK-NEXT: tile.shared_mma wgmma %{{.*}}, %[[SLOT]], %{{.*}} {bTransposed, promotes}
// CHECK-NEXT: tile.consumer_release %[[RV]][%[[READ]] : i32]

// OVERLAP-LABEL: func.func @attention.coarsened
// OVERLAP: %[[ZERO:.*]] = tile.splat %cst
// OVERLAP: %[[C:.*]] = tile.cast %{{.*}} -> tensor<128x128xf8E4M3FN
// OVERLAP: %[[A0:.*]] = tile.reshape
// OVERLAP: scf.for {{.*}}, %[[A:[^ ]*]] = %{{[0-9]+}}, %[[SUM:[^ ]*]] = %{{[0-9]+}}, %[[RESCALE:[^ ]*]] = %{{[0-9]+}})
// OVERLAP: tile.shared_mma wgmma %{{.*}}, inFlight}
// OVERLAP: %[[STARTED:.*]] = tile.shared_mma wgmma %[[A]], %{{.*}} {bTransposed, inFlight}
// The floats are converted, not the bytes: only their registers are renamed.
// OVERLAP: %[[FLOATS:.*]] = tile.convert_layout
// OVERLAP: %[[DONE:.*]] = tile.mma_finish %[[STARTED]]
// OVERLAP-NEXT: tile.mma_done %[[A]]
// OVERLAP-NEXT: tile.consumer_release
// The accumulator is rescaled where the sum is added, by what is carried.
// OVERLAP-NEXT: %[[WIDE:.*]] = tile.broadcast %[[RESCALE]]
// OVERLAP-NEXT: %[[SCALED:.*]] = tile.binary mul %[[SUM]], %[[WIDE]]
// OVERLAP-NEXT: tile.binary add %[[SCALED]], %[[DONE]]
// OVERLAP-NEXT: tile.cast %[[FLOATS]]
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
  %sum = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
    %t = tile.permute %key [1, 0] : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %score = tile.mma %query, %t, %zero : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    %p = tile.unary exp2 %score : tensor<128x128xf32>
    %largest = tile.reduce max %p along 1 : tensor<128x128xf32> -> tensor<128x1xf32>
    %rescale = tile.broadcast %largest : tensor<128x1xf32> -> tensor<128x128xf32>
    %f = tile.binary mul %s, %rescale : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xf8E4M3FN>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf8E4M3FN>
    %next = tile.mma %b, %value, %f : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
