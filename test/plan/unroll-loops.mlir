// Loops of a few constant iterations that read tiles become straight code, as far as the tiles fit the registers.
// RUN: %tessera-opt --tile-unroll-loops %s | FileCheck %s
// RUN: env TESSERA_PLAN_WITHOUT=unroll_loops %tessera-opt --tile-unroll-loops %s | FileCheck %s --check-prefix=WITHOUT

// CHECK-LABEL: func.func @pieces
// CHECK-NOT: scf.for
// CHECK: tile.view_load %arg0 {{.*}} starts(%c0_i32)
// CHECK: tile.view_load %arg0 {{.*}} starts(%c512_i32)
// CHECK-NOT: tile.view_load
// CHECK: return
// WITHOUT-LABEL: func.func @pieces
// WITHOUT: scf.for
func.func @pieces(%p: !llvm.ptr, %n: i32) -> tensor<512xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c512 = arith.constant 512 : i32
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero : f32 -> tensor<512xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<512xf32>) : i32 {
    %at = arith.muli %i, %c512 : i32
    %x = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<512xf32>
    %next = tile.fma %x, %x, %sum : tensor<512xf32>
    scf.yield %next : tensor<512xf32>
  }
  return %r : tensor<512xf32>
}

// Nine iterations are many; so are eight of 32 KiB for a block of 16 warps.
// CHECK-LABEL: func.func @many
// CHECK: scf.for
// CHECK: scf.for
func.func @many(%p: !llvm.ptr, %n: i32) -> (tensor<512xf32>, tensor<8192xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero : f32 -> tensor<512xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%sum = %none) -> (tensor<512xf32>) : i32 {
    %x = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<512xf32>
    %next = tile.fma %x, %x, %sum : tensor<512xf32>
    scf.yield %next : tensor<512xf32>
  }
  %large = tile.splat %zero : f32 -> tensor<8192xf32>
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %large) -> (tensor<8192xf32>) : i32 {
    %x = tile.view_load %p extents(%n) strides(%c1) starts(%i) padding zero
        {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<8192xf32>
    %next = tile.fma %x, %x, %sum : tensor<8192xf32>
    scf.yield %next : tensor<8192xf32>
  }
  return %r, %s : tensor<512xf32>, tensor<8192xf32>
}

// Without a read nothing is gained.
// CHECK-LABEL: func.func @no_read
// CHECK: scf.for
func.func @no_read(%init: tensor<512xf32>) -> tensor<512xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %init) -> (tensor<512xf32>) : i32 {
    %next = tile.fma %x, %x, %x : tensor<512xf32>
    scf.yield %next : tensor<512xf32>
  }
  return %r : tensor<512xf32>
}
