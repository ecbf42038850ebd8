// An operand that is read an iteration ahead is read in the iteration that multiplies with it.
// RUN: %tessera-opt --tile-late-reads %s | FileCheck %s

// CHECK-LABEL: func.func @ahead
// CHECK-NOT: tile.view_load
// CHECK: scf.for %[[I:[^ ]*]] = %c0{{.*}} iter_args(%[[SUM:[^ ]*]] = %arg4) -> (tensor<16x16xf32>)
// CHECK: %[[K:.*]] = arith.muli %[[I]], %c16
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}} starts(%c0{{.*}}, %[[K]])
// CHECK: tile.mma %[[X]], %arg3, %[[SUM]]
// CHECK-NOT: tile.view_load
// CHECK: return
func.func @ahead(%p: !llvm.ptr, %n: i32, %m: i32, %b: tensor<16x16xf16>, %init: tensor<16x16xf32>, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %x0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %x = %x0) -> (tensor<16x16xf32>, tensor<16x16xf16>) : i32 {
    %next = tile.mma %x, %b, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %i1 = arith.addi %i, %c1 overflow<nsw> : i32
    %k = arith.muli %i1, %c16 overflow<nsw> : i32
    %x1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    scf.yield %next, %x1 : tensor<16x16xf32>, tensor<16x16xf16>
  }
  return %r#0 : tensor<16x16xf32>
}

// The first one comes from a place of its own.
// CHECK-LABEL: func.func @first_elsewhere
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK: %[[K:.*]] = arith.muli %[[I]], %c16
// CHECK: %[[AT:.*]] = arith.select %[[FIRST]], %arg2, %[[K]]
// CHECK: tile.view_load %arg0 {{.*}} starts(%c0{{.*}}, %[[AT]])
func.func @first_elsewhere(%p: !llvm.ptr, %n: i32, %m: i32, %b: tensor<16x16xf16>, %init: tensor<16x16xf32>, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %x0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %m) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %x = %x0) -> (tensor<16x16xf32>, tensor<16x16xf16>) : i32 {
    %next = tile.mma %x, %b, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %i1 = arith.addi %i, %c1 overflow<nsw> : i32
    %k = arith.muli %i1, %c16 overflow<nsw> : i32
    %x1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    scf.yield %next, %x1 : tensor<16x16xf32>, tensor<16x16xf16>
  }
  return %r#0 : tensor<16x16xf32>
}

// Not where the loop may write what is read.
// CHECK-LABEL: func.func @written
// CHECK: tile.view_load
// CHECK: scf.for
func.func @written(%p: !llvm.ptr, %n: i32, %m: i32, %b: tensor<16x16xf16>, %init: tensor<16x16xf32>, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %x0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %x = %x0) -> (tensor<16x16xf32>, tensor<16x16xf16>) : i32 {
    %next = tile.mma %x, %b, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %i1 = arith.addi %i, %c1 overflow<nsw> : i32
    %k = arith.muli %i1, %c16 overflow<nsw> : i32
    %x1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    tile.store %i, %out : i32, !llvm.ptr
    scf.yield %next, %x1 : tensor<16x16xf32>, tensor<16x16xf16>
  }
  return %r#0 : tensor<16x16xf32>
}

// Nor something between the first read and the loop.
// CHECK-LABEL: func.func @written_before
// CHECK: tile.view_load
// CHECK: scf.for
func.func @written_before(%p: !llvm.ptr, %n: i32, %m: i32, %b: tensor<16x16xf16>, %init: tensor<16x16xf32>, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %x0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  tile.store %n, %out : i32, !llvm.ptr
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %x = %x0) -> (tensor<16x16xf32>, tensor<16x16xf16>) : i32 {
    %next = tile.mma %x, %b, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %i1 = arith.addi %i, %c1 overflow<nsw> : i32
    %k = arith.muli %i1, %c16 overflow<nsw> : i32
    %x1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    scf.yield %next, %x1 : tensor<16x16xf32>, tensor<16x16xf16>
  }
  return %r#0 : tensor<16x16xf32>
}

// Nor where the last one is seen behind the loop, or something else is made of it.
// CHECK-LABEL: func.func @seen
// CHECK: tile.view_load
// CHECK: scf.for
func.func @seen(%p: !llvm.ptr, %n: i32, %m: i32, %b: tensor<16x16xf16>, %init: tensor<16x16xf32>, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %x0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %x = %x0) -> (tensor<16x16xf32>, tensor<16x16xf16>) : i32 {
    %next = tile.mma %x, %b, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %i1 = arith.addi %i, %c1 overflow<nsw> : i32
    %k = arith.muli %i1, %c16 overflow<nsw> : i32
    %x1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    scf.yield %next, %x1 : tensor<16x16xf32>, tensor<16x16xf16>
  }
  %last = tile.mma %r#1, %b, %r#0 : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
  return %last : tensor<16x16xf32>
}

// CHECK-LABEL: func.func @computed
// CHECK: tile.view_load
// CHECK: scf.for
func.func @computed(%p: !llvm.ptr, %n: i32, %m: i32, %b: tensor<16x16xf16>, %init: tensor<16x16xf32>, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %x0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %x = %x0) -> (tensor<16x16xf32>, tensor<16x16xf16>) : i32 {
    %y = tile.binary add %x, %x : tensor<16x16xf16>
    %next = tile.mma %y, %b, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %i1 = arith.addi %i, %c1 overflow<nsw> : i32
    %k = arith.muli %i1, %c16 overflow<nsw> : i32
    %x1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    scf.yield %next, %x1 : tensor<16x16xf32>, tensor<16x16xf16>
  }
  return %r#0 : tensor<16x16xf32>
}
