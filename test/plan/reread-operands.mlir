// An operand that its loop also sums is copied ahead: the sum reads its stage. Where it cannot be copied, the sum takes what was read for the multiply.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s

// CHECK-LABEL: func.func @summed
// CHECK-NOT: tile.view_load
// CHECK: %[[A:.*]] = tile.shared_alloc stages 4 : <64x32xf16, 2, 3, 3>
// CHECK: scf.for
// CHECK: tile.prologue
// CHECK: scf.for
// CHECK: tile.wait_group 2
// CHECK: tile.commit_group
// CHECK: %[[STAGE:.*]] = tile.shared_slot %[[A]]
// CHECK-NOT: tile.shared_store
// CHECK: %[[AGAIN:.*]] = tile.shared_load %[[STAGE]]
// CHECK: tile.shared_mma m16n8k16 %[[STAGE]],
// CHECK: tile.reduce sum %[[AGAIN]]
func.func @summed(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>, %none: tensor<64x1xf16>) -> (tensor<64x64xf32>, tensor<64x1xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c, %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %rows = %none) -> (tensor<64x64xf32>, tensor<64x1xf16>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %own = tile.reduce sum %x along 1 : tensor<64x32xf16> -> tensor<64x1xf16>
    %more = tile.binary add %rows, %own : tensor<64x1xf16>
    scf.yield %next, %more : tensor<64x64xf32>, tensor<64x1xf16>
  }
  return %c, %r : tensor<64x64xf32>, tensor<64x1xf16>
}

// A read with padding of its own waits, and stays in registers for the sum.
// CHECK-LABEL: func.func @padded
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}}waits = #tile.waits<padding>
// CHECK: tile.shared_store %[[X]]
// CHECK-NOT: tile.shared_load
// CHECK: tile.reduce sum %[[X]]
func.func @padded(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>, %none: tensor<64x1xf16>) -> (tensor<64x64xf32>, tensor<64x1xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c, %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %rows = %none) -> (tensor<64x64xf32>, tensor<64x1xf16>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding negative_inf
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %own = tile.reduce sum %x along 1 : tensor<64x32xf16> -> tensor<64x1xf16>
    %more = tile.binary add %rows, %own : tensor<64x1xf16>
    scf.yield %next, %more : tensor<64x64xf32>, tensor<64x1xf16>
  }
  return %c, %r : tensor<64x64xf32>, tensor<64x1xf16>
}

// No ring of such tiles has room.
// CHECK-LABEL: func.func @large
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}}waits = #tile.waits<room>
// CHECK: tile.shared_store %[[X]]
// CHECK-NOT: tile.shared_load
// CHECK: tile.reduce sum %[[X]]
func.func @large(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<512x512xf32>, %none: tensor<512x1xf16>) -> (tensor<512x512xf32>, tensor<512x1xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 64 : i32
  %c, %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %rows = %none) -> (tensor<512x512xf32>, tensor<512x1xf16>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<512x64xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x512xf16>
    %sx = tile.shared_alloc : !tile.shared<512x64xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<512x64xf16>, !tile.shared<512x64xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<64x512xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<64x512xf16>, !tile.shared<64x512xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<512x64xf16, 2, 3, 3>, !tile.shared<64x512xf16, 3, 3, 3>, tensor<512x512xf32>
    %own = tile.reduce sum %x along 1 : tensor<512x64xf16> -> tensor<512x1xf16>
    %more = tile.binary add %rows, %own : tensor<512x1xf16>
    scf.yield %next, %more : tensor<512x512xf32>, tensor<512x1xf16>
  }
  return %c, %r : tensor<512x512xf32>, tensor<512x1xf16>
}

// A tile that is stored twice is as it was.
// CHECK-LABEL: func.func @stored_twice
// CHECK: tile.view_load %arg0 {{.*}}waits = #tile.waits<uses>
// CHECK-NOT: tile.shared_load
func.func @stored_twice(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>, %none: tensor<64x1xf16>) -> (tensor<64x64xf32>, tensor<64x1xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c, %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %rows = %none) -> (tensor<64x64xf32>, tensor<64x1xf16>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %own = tile.reduce sum %x along 1 : tensor<64x32xf16> -> tensor<64x1xf16>
    %more = tile.binary add %rows, %own : tensor<64x1xf16>
    scf.yield %next, %more : tensor<64x64xf32>, tensor<64x1xf16>
  }
  return %c, %r : tensor<64x64xf32>, tensor<64x1xf16>
}
