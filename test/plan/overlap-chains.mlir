// The loop of a chain whose rings a producer warp fills is rotated: an iteration starts its first multiply and the second one of the iteration before, and waits for the second one when the first accumulator has been computed on.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse --tile-assign-layouts --cse --tile-register-operands --tile-overlap-chains --split-input-file %S/specialize-chains.mlir | FileCheck %s

// CHECK-LABEL: func.func @attention.coarsened
// CHECK: %[[ENTERED:.*]] = arith.cmpi slt, %c0_i32, %arg4
// CHECK-NEXT: scf.if %[[ENTERED]]
// The first half of the first iteration.
// CHECK: tile.wait_group 0 of %[[RK:[0-9]+]][
// CHECK: %[[S0:.*]] = tile.shared_mma wgmma %[[Q:[^,]*]], {{.*}} {bTransposed}
// CHECK: tile.consumer_release %[[RK]][
// CHECK: %[[E0:.*]] = tile.unary exp2 %[[S0]]
// CHECK: %[[A0:.*]] = tile.binary mul %{{.*}}, %[[E0]]
// CHECK: %[[P0:.*]] = tile.cast %[[E0]]
// CHECK: scf.for {{.*}}, %[[BEFORE:[^ ]*]] = %{{[^,]*}}, %[[P:[^ ]*]] = %[[P0]], %[[A:[^ ]*]] = %[[A0]])
// CHECK: %[[START:.*]] = tile.shared_mma wgmma %[[Q]], {{.*}}, inFlight}
// CHECK-NEXT: tile.wait_group 0 of %[[RV:.*]][%[[BEFORE]] : i32]
// CHECK: %[[SECOND:.*]] = tile.shared_mma wgmma %[[P]], %{{.*}}, %[[A]] {inFlight}
// CHECK-NEXT: %[[SCORE:.*]] = tile.mma_finish %[[START]] pending 1
// CHECK-NEXT: tile.consumer_release %[[RK]][
// CHECK-NEXT: %[[E:.*]] = tile.unary exp2 %[[SCORE]]
// CHECK: %[[DONE:.*]] = tile.mma_finish %[[SECOND]] :
// CHECK-NEXT: tile.mma_done %[[P]]
// CHECK-NEXT: tile.consumer_release %[[RV]][%[[BEFORE]] : i32]
// What takes the second accumulator, and what writes the registers that the multiply read.
// CHECK-NEXT: %[[NEXT:.*]] = tile.binary mul %[[DONE]], %[[E]]
// CHECK-NEXT: %[[CAST:.*]] = tile.cast %[[E]]
// CHECK-NEXT: scf.yield {{.*}}, %[[CAST]], %[[NEXT]]
// The second half of the last one, which does not read the query.
// CHECK: tile.consumer_release %[[RQ:[0-9]+]][%
// CHECK-NEXT: tile.wait_group 0 of %[[RV]][
// CHECK: tile.shared_mma wgmma
// CHECK-NOT: inFlight
// CHECK: } else {
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.consumer_release %[[RQ]][%
