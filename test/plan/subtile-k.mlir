// A multiply of a loop that takes much of K at a time goes in parts of 128 bytes of K, each with its iteration in one ring.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-subtile-k %s | FileCheck %s
// RUN: %tessera-opt --tile-select-mma-instructions --tile-subtile-k --tile-pipeline-loops %s | FileCheck %s --check-prefix=RING

module attributes {tile.target = #tile.target<"sm_90a">} {

// CHECK-LABEL: func.func @halves
// CHECK: scf.for %[[I:[^ ]*]] = {{.*}} iter_args(%[[C:[^ ]*]] =
// CHECK: tile.view_load %arg0 {{.*}} starts(%c0{{[^ ]*}}, %[[I]]) {{.*}} -> tensor<128x64xbf16>
// CHECK: tile.view_load %arg1 {{.*}} starts(%[[I]], %c0{{[^ ]*}}) {{.*}} -> tensor<64x128xbf16>
// CHECK: %[[HALF:.*]] = tile.shared_mma wgmma %{{.*}}, %{{.*}}, %[[C]] :
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c64
// CHECK: tile.view_load %arg0 {{.*}} starts(%c0{{[^ ]*}}, %[[LATER]]) {{.*}} -> tensor<128x64xbf16>
// CHECK: %[[LATER_B:.*]] = arith.addi %[[I]], %c64
// CHECK: tile.view_load %arg1 {{.*}} starts(%[[LATER_B]], %c0{{[^ ]*}}) {{.*}} -> tensor<64x128xbf16>
// CHECK: %[[WHOLE:.*]] = tile.shared_mma wgmma %{{.*}}, %{{.*}}, %[[HALF]] :
// CHECK: scf.yield %[[WHOLE]]

// Three stages of halves leave room for two blocks. Each half waits, and starts copies two iterations ahead.
// RING-LABEL: func.func @halves
// RING: %[[A:.*]] = tile.shared_alloc stages 3 : <128x64xbf16, panels>
// RING: %[[B:.*]] = tile.shared_alloc stages 3 : <64x128xbf16, panels>
// RING: tile.commit_group
// RING: tile.copy_async %{{.*}}, %arg0 {{.*}} starts(%{{.*}}, %c64_i32{{[^ ]*}})
// RING: tile.commit_group
// RING: scf.for %[[I:[^ ]*]] = {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %[[READ:[^ ]*]] = %c0{{[^ ]*}}, %[[FILL:[^ ]*]] = %c2
// RING: tile.wait_group 1
// RING: %[[NEXT:.*]] = arith.addi %[[I]], %c128
// RING: tile.shared_slot %[[A]][%[[FILL]] : i32]
// RING: tile.copy_async %{{.*}}, %arg0 {{.*}} starts(%{{.*}}, %[[NEXT]])
// RING: tile.commit_group
// RING: tile.shared_slot %[[A]][%[[READ]] : i32]
// RING: tile.shared_mma
// RING: tile.wait_group 1
// RING: tile.commit_group
// RING: tile.shared_mma
// RING: scf.yield
// RING: tile.wait_group 0
func.func @halves(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant 128 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Half of the registers: four stages in flight, one after the other over the halves and the iterations.
// RING-LABEL: func.func @in_flight
// RING: %[[FIRST:.*]] = tile.mma_begin
// RING: tile.shared_alloc stages 4 : <128x64xbf16, panels>
// RING: %[[SUM:.*]]:3 = scf.for {{.*}} iter_args(%[[C:[^ ]*]] = %[[FIRST]],
// RING: tile.wait_group 1
// RING: %[[HALF:.*]] = tile.shared_mma wgmma %{{.*}}, %{{.*}}, %[[C]] {inFlight}
// RING-NEXT: tile.mma_wait 1
// RING: tile.wait_group 1
// RING: %[[WHOLE:.*]] = tile.shared_mma wgmma %{{.*}}, %{{.*}}, %[[HALF]] {inFlight}
// RING-NEXT: tile.mma_wait 1
// RING: scf.yield %[[WHOLE]],
// RING: tile.mma_finish %[[SUM]]#0
func.func @in_flight(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant 128 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x128xbf16>, tensor<128x256xbf16>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  return %c : tensor<128x256xf32>
}

// Rows along K: bytes in four parts, the start of a row's part moves.
// CHECK-LABEL: func.func @bytes
// CHECK-COUNT-4: tile.shared_mma wgmma {{.*}} {bTransposed} : !tile.shared<128x128xi8, panels>, <128x128xi8, panels>
// CHECK: scf.yield
func.func @bytes(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xi32>) -> tensor<128x128xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant 512 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<128x128xi32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x512xi8>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x512xi8>
    %yt = tile.permute %y [1, 0] : tensor<128x512xi8> -> tensor<512x128xi8>
    %next = tile.mma %x, %yt, %sum : tensor<128x512xi8>, tensor<512x128xi8>, tensor<128x128xi32>
    scf.yield %next : tensor<128x128xi32>
  }
  return %c : tensor<128x128xi32>
}

// Boxes that overlap: of one that starts below 0, and is outside as a whole, the second half might be inside.
// CHECK-LABEL: func.func @overlap
// CHECK: tile.shared_mma wgmma {{.*}} : !tile.shared<128x128xbf16, panels>
// CHECK-NOT: tile.shared_mma
func.func @overlap(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Two blocks have room for three stages; what the loop looks at in between is one sum.
// CHECK-LABEL: func.func @fits
// CHECK: tile.shared_mma wgmma {{.*}} : !tile.shared<64x128xbf16, panels>
// CHECK-NOT: tile.shared_mma
// CHECK-LABEL: func.func @seen
// CHECK: tile.shared_mma wgmma {{.*}} : !tile.shared<128x128xbf16, panels>
// CHECK-NOT: tile.shared_mma
func.func @fits(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant 128 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %next = tile.mma %x, %y, %sum : tensor<64x128xbf16>, tensor<128x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}
func.func @seen(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant 128 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %twice = tile.binary add %next, %next : tensor<128x128xf32>
    scf.yield %twice : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

}
