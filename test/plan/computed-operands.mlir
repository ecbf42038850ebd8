// What operands are computed of is copied ahead as it is in memory, and computed on when it is due: a read that leads to an operand
// gets a shared tile of its own, which the pass gives stages like those of operands.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {

// CHECK-LABEL: func.func @scaled
// CHECK: %[[RING_B:.*]] = tile.shared_alloc stages 4 : <64x64xf16, panels>
// CHECK: %[[RING_A:.*]] = tile.shared_alloc stages 4 : <64x64xf16, panels>
// CHECK: tile.copy_async
// CHECK: tile.copy_async
// CHECK: tile.commit_group
// CHECK: scf.for
// CHECK: tile.wait_group 2
// CHECK: tile.copy_async
// CHECK: tile.copy_async
// CHECK: %[[B:.*]] = tile.shared_slot %[[RING_B]]
// CHECK: %[[A:.*]] = tile.shared_slot %[[RING_A]]
// CHECK-NOT: tile.view_load
// CHECK: %[[X:.*]] = tile.shared_load %[[A]]
// CHECK: %[[TWICE:.*]] = tile.binary add %[[X]], %[[X]]
// CHECK: tile.shared_store %[[TWICE]], %[[OPERAND:.*]] :
// CHECK: tile.shared_mma wgmma %[[OPERAND]], %[[B]]

func.func @scaled(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %twice = tile.binary add %x, %x : tensor<64x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x64xf16, panels>
    tile.shared_store %twice, %sx : tensor<64x64xf16>, !tile.shared<64x64xf16, panels>
    %sy = tile.shared_alloc : !tile.shared<64x64xf16, panels>
    tile.shared_store %y, %sy : tensor<64x64xf16>, !tile.shared<64x64xf16, panels>
    %next = tile.shared_mma wgmma %sx, %sy, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// A second operand has its own tile to go to; its scales, a row of 16 bytes or more, are copied ahead with it. The column of scales is
// read when it is due: its rows are too short.
// CHECK-LABEL: func.func @dequantised
// CHECK-DAG: tile.shared_alloc stages {{[0-9]+}} : <64x64xi8, panels>
// CHECK-DAG: tile.shared_alloc stages {{[0-9]+}} : <1x64xf16, 0, 0, 0>
// CHECK: scf.for
// CHECK-DAG: %[[Y:.*]] = tile.shared_load {{.*}} -> tensor<64x64xi8>
// CHECK-DAG: %[[S:.*]] = tile.shared_load {{.*}} -> tensor<1x64xf16>
// CHECK-DAG: tile.view_load {{.*}} -> tensor<64x1xf16>
// CHECK: tile.shared_store {{.*}} : tensor<64x64xf16>, <64x64xf16, panels>
// CHECK: tile.shared_mma
func.func @dequantised(%b: !llvm.ptr, %s: !llvm.ptr, %n: i32, %ld: i32, %sx: !tile.shared<64x64xf16, panels>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xi8>
    %row = tile.view_load %s extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x64xf16>
    %column = tile.view_load %s extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x1xf16>
    %z = tile.cast %y : tensor<64x64xi8> -> tensor<64x64xf16>
    %rows = tile.broadcast %row : tensor<1x64xf16> -> tensor<64x64xf16>
    %columns = tile.broadcast %column : tensor<64x1xf16> -> tensor<64x64xf16>
    %v = tile.binary mul %z, %rows : tensor<64x64xf16>
    %w = tile.binary mul %v, %columns : tensor<64x64xf16>
    %sy = tile.shared_alloc : !tile.shared<64x64xf16, panels>
    tile.shared_store %w, %sy : tensor<64x64xf16>, !tile.shared<64x64xf16, panels>
    %next = tile.shared_mma wgmma %sx, %sy, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// An operand that is transposed is computed, too.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[RING:.*]] = tile.shared_alloc stages {{[0-9]+}} : <128x64xi8, panels>
// CHECK: } {tile.prologue}
// CHECK: scf.for
// CHECK: tile.commit_group
// CHECK: %[[SLOT:.*]] = tile.shared_slot %[[RING]]
// CHECK: %[[Y:.*]] = tile.shared_load %[[SLOT]]
// CHECK: %[[T:.*]] = tile.permute %[[Y]] [1, 0]
// CHECK: tile.shared_store %[[T]], %[[OPERAND:.*]] : tensor<64x128xi8>, <64x128xi8, panels>
// CHECK: tile.shared_mma wgmma {{.*}} %[[OPERAND]]
func.func @transposed(%b: !llvm.ptr, %n: i32, %ld: i32, %sx: !tile.shared<64x128xi8, panels>, %init: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xi32>) : i32 {
    %k = arith.muli %i, %c128 : i32
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xi8>
    %t = tile.permute %y [1, 0] : tensor<128x64xi8> -> tensor<64x128xi8>
    %sy = tile.shared_alloc : !tile.shared<64x128xi8, panels>
    tile.shared_store %t, %sy : tensor<64x128xi8>, !tile.shared<64x128xi8, panels>
    %next = tile.shared_mma wgmma %sx, %sy, %sum {bTransposed} : !tile.shared<64x128xi8, panels>, !tile.shared<64x128xi8, panels>, tensor<64x64xi32>
    scf.yield %next : tensor<64x64xi32>
  }
  return %c : tensor<64x64xi32>
}

// What the loop writes may be what it reads; what no operand comes from is read as ever.
// CHECK-LABEL: func.func @written
// CHECK-NOT: tile.copy_async
// CHECK: return
func.func @written(%a: !llvm.ptr, %n: i32, %ld: i32, %sy: !tile.shared<64x64xf16, panels>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %twice = tile.binary add %x, %x : tensor<64x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x64xf16, panels>
    tile.shared_store %twice, %sx : tensor<64x64xf16>, !tile.shared<64x64xf16, panels>
    %next = tile.shared_mma wgmma %sx, %sy, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
    tile.view_store %twice, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @beside
// CHECK-NOT: tile.copy_async
// CHECK: return
func.func @beside(%a: !llvm.ptr, %n: i32, %ld: i32, %sx: !tile.shared<64x64xf16, panels>, %sy: !tile.shared<64x64xf16, panels>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %next = tile.shared_mma wgmma %sx, %sy, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
    %more = tile.binary add %next, %x : tensor<64x64xf32>
    scf.yield %more : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// Where a block has no room for two stages, the read goes to registers, as it did.
// CHECK-LABEL: func.func @no_room
// CHECK-NOT: tile.copy_async
// CHECK-NOT: tile.shared_load
// CHECK: return
func.func @no_room(%a: !llvm.ptr, %n: i32, %ld: i32, %sy: !tile.shared<64x64xf16, panels>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tile.config = #tile.config<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %twice = tile.binary add %x, %x : tensor<64x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x64xf16, panels>
    tile.shared_store %twice, %sx : tensor<64x64xf16>, !tile.shared<64x64xf16, panels>
    %next = tile.shared_mma wgmma %sx, %sy, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}
}
