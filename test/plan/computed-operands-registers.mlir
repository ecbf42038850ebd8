// What a first operand is computed of is read from its stage as the unit takes the operand, which goes there without shared memory.
// RUN: %tessera-opt --tile-pipeline-loops --tile-assign-layouts --tile-register-operands %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @scaled
// CHECK: %[[X:.*]] = tile.shared_load %{{.*}} -> tensor<64x64xf16, #tile.layout<[1, 512, 8, 16, 32], [2, 4, 64, 128, 256], [1024, 2048]>>
// CHECK: %[[TWICE:.*]] = tile.binary add %[[X]], %[[X]]
// CHECK-NOT: tile.shared_store
// CHECK: tile.shared_mma wgmma %[[TWICE]], %{{.*}} : tensor<64x64xf16
func.func @scaled(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
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
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Of tf32 both operands are computed: the first goes from registers, the second is transposed in squares of 4x4, whose lanes go along the
// diagonal, and stored along K.
// CHECK-LABEL: func.func @floats
// CHECK-DAG: %[[X:.*]] = tile.shared_load %{{.*}} -> tensor<64x32xf32, #tile.layout<[256, 4, 8, 16], [1, 2, 32, 64, 128], [512, 1024]>>
// CHECK-DAG: %[[TWICE:.*]] = tile.binary add %[[X]], %[[X]]
// CHECK-DAG: %[[A:.*]] = tile.cast %[[TWICE]]
// CHECK-DAG: %[[Y:.*]] = tile.shared_load %{{.*}} -> tensor<32x64xf32, #tile.layout<[1, 2, 64, 128], [260, 520, 1040, 32, 16], [8, 4]>>
// CHECK-DAG: %[[B:.*]] = tile.cast %[[Y]]
// CHECK-DAG: %[[T:.*]] = tile.permute %[[B]] [1, 0]
// CHECK: tile.shared_store %[[T]], %[[S:.*]] : tensor<64x32xtf32
// CHECK: tile.shared_mma wgmma %[[A]], %[[S]], %{{.*}} {bTransposed} : tensor<64x32xtf32
func.func @floats(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf32>
    %twice = tile.binary add %x, %x : tensor<64x32xf32>
    %xr = tile.cast %twice : tensor<64x32xf32> -> tensor<64x32xtf32>
    %yr = tile.cast %y : tensor<32x64xf32> -> tensor<32x64xtf32>
    %yt = tile.permute %yr [1, 0] : tensor<32x64xtf32> -> tensor<64x32xtf32>
    %sx = tile.shared_alloc : !tile.shared<64x32xtf32, panels>
    tile.shared_store %xr, %sx : tensor<64x32xtf32>, !tile.shared<64x32xtf32, panels>
    %sy = tile.shared_alloc : !tile.shared<64x32xtf32, panels>
    tile.shared_store %yt, %sy : tensor<64x32xtf32>, !tile.shared<64x32xtf32, panels>
    %next = tile.shared_mma wgmma %sx, %sy, %sum {bTransposed} : !tile.shared<64x32xtf32, panels>, !tile.shared<64x32xtf32, panels>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A transposed one is not: registers hold it row by row.
// CHECK-LABEL: func.func @transposed
// CHECK: tile.shared_load
// CHECK: tile.shared_store
// CHECK: tile.shared_mma wgmma %{{.*}} {aTransposed}
func.func @transposed(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
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
    %next = tile.shared_mma wgmma %sx, %sy, %sum {aTransposed} : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
