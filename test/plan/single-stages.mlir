// Where two stages of the operands of a loop of several multiplies do not fit in shared memory, each operand has one stage, which the copies for the next iteration fill as soon as this iteration has read it.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops %s | FileCheck %s

// K and V of 64 KiB each, beside the query and the probabilities.
// CHECK-LABEL: func.func @chain
// CHECK: %[[K:.*]] = tile.shared_alloc : <256x128xf16, panels>
// CHECK: %[[V:.*]] = tile.shared_alloc : <256x128xf16, panels>
// CHECK: %[[FIRST_K:.*]] = tile.shared_slot %[[K]][%c0_i32{{.*}} : i32]
// CHECK: tile.copy_async %[[FIRST_K]], %arg1 {{.*}} starts(%c0_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}}) when
// CHECK-NEXT: tile.commit_group
// CHECK: tile.copy_async %{{.*}}, %arg2 {{.*}} when
// CHECK-NEXT: tile.commit_group
// CHECK-DAG: %[[OF_K:.*]] = tile.shared_slot %[[K]][%c0_i32{{.*}} : i32]
// CHECK-DAG: %[[OF_V:.*]] = tile.shared_slot %[[V]][%c0_i32{{.*}} : i32]
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N:[^ ]*]] step
// CHECK: tile.wait_group 1
// CHECK-NEXT: tile.shared_mma wgmma %{{.*}}, %[[OF_K]],
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: tile.copy_async %{{.*}}, %arg1 {{.*}} when
// CHECK-NEXT: tile.commit_group
// CHECK: tile.unary exp2
// CHECK: tile.wait_group 1
// CHECK-NEXT: tile.shared_mma wgmma %{{.*}}, %[[OF_V]],
// CHECK: tile.copy_async %{{.*}}, %arg2 {{.*}} when
// CHECK-NEXT: tile.commit_group
// CHECK: scf.yield
// CHECK: tile.wait_group 0
func.func @chain(%q: tensor<64x128xf16>, %k: !llvm.ptr, %v: !llvm.ptr, %n: i32, %keys: i32) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant 0.0 : f32
  %scores = tile.splat %zero : f32 -> tensor<64x256xf32>
  %none = tile.splat %zero : f32 -> tensor<64x128xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x128xf32>) : i32 {
    %row = arith.muli %i, %c256 : i32
    %x = tile.view_load %k extents(%keys, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x128xf16>
    %t = tile.permute %x [1, 0] : tensor<256x128xf16> -> tensor<128x256xf16>
    %s = tile.mma %q, %t, %scores : tensor<64x128xf16>, tensor<128x256xf16>, tensor<64x256xf32>
    %e = tile.unary exp2 %s : tensor<64x256xf32>
    %p = tile.cast %e : tensor<64x256xf32> -> tensor<64x256xf16>
    %y = tile.view_load %v extents(%keys, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x128xf16>
    %next = tile.mma %p, %y, %sum : tensor<64x256xf16>, tensor<256x128xf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  return %all : tensor<64x128xf32>
}

// Two stages of 64 KiB fit, but then a block would be alone on its SM: one stage leaves room for two blocks.
// CHECK-LABEL: func.func @two_blocks
// CHECK: tile.shared_alloc : <128x128xf16, panels>
// CHECK: tile.shared_alloc : <128x128xf16, panels>
// CHECK: scf.for
// CHECK: tile.wait_group 1
// CHECK-NEXT: tile.shared_mma
// CHECK: tile.copy_async
// CHECK: tile.wait_group 1
// CHECK-NEXT: tile.shared_mma
// CHECK: tile.copy_async
func.func @two_blocks(%q: tensor<64x128xf16>, %k: !llvm.ptr, %v: !llvm.ptr, %n: i32, %keys: i32) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %step = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f32
  %scores = tile.splat %zero : f32 -> tensor<64x128xf32>
  %none = tile.splat %zero : f32 -> tensor<64x128xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x128xf32>) : i32 {
    %row = arith.muli %i, %step : i32
    %x = tile.view_load %k extents(%keys, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
    %t = tile.permute %x [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tile.mma %q, %t, %scores : tensor<64x128xf16>, tensor<128x128xf16>, tensor<64x128xf32>
    %e = tile.unary exp2 %s : tensor<64x128xf32>
    %p = tile.cast %e : tensor<64x128xf32> -> tensor<64x128xf16>
    %y = tile.view_load %v extents(%keys, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
    %next = tile.mma %p, %y, %sum : tensor<64x128xf16>, tensor<128x128xf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  return %all : tensor<64x128xf32>
}

// K and V of 128 KiB each: V comes where K was, as soon as that has been read.
// CHECK-LABEL: func.func @in_turn
// CHECK-COUNT-1: tile.shared_alloc : <256x256xf16, panels>
// CHECK-NOT: tile.shared_alloc : <256x256xf16, panels>
// CHECK: tile.copy_async %{{.*}}, %arg1 {{.*}} when
// CHECK-NEXT: tile.commit_group
// CHECK: scf.for
// CHECK: tile.wait_group 0
// CHECK-NEXT: tile.shared_mma wgmma
// CHECK: tile.copy_async %{{.*}}, %arg2 {{.*}} when %true
// CHECK-NEXT: tile.commit_group
// CHECK: tile.unary exp2
// CHECK: tile.wait_group 0
// CHECK-NEXT: tile.shared_mma wgmma
// CHECK: tile.copy_async %{{.*}}, %arg1 {{.*}} when
// CHECK-NEXT: tile.commit_group
// CHECK: scf.yield
func.func @in_turn(%q: tensor<64x256xf16>, %k: !llvm.ptr, %v: !llvm.ptr, %n: i32, %keys: i32) -> tensor<64x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero : f32 -> tensor<64x256xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x256xf32>) : i32 {
    %row = arith.muli %i, %c256 : i32
    %x = tile.view_load %k extents(%keys, %c256) strides(%c256, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, 256>, staticStrides = array<i64: 256, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x256xf16>
    %t = tile.permute %x [1, 0] : tensor<256x256xf16> -> tensor<256x256xf16>
    %s = tile.mma %q, %t, %none : tensor<64x256xf16>, tensor<256x256xf16>, tensor<64x256xf32>
    %e = tile.unary exp2 %s : tensor<64x256xf32>
    %p = tile.cast %e : tensor<64x256xf32> -> tensor<64x256xf16>
    %y = tile.view_load %v extents(%keys, %c256) strides(%c256, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, 256>, staticStrides = array<i64: 256, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x256xf16>
    %next = tile.mma %p, %y, %sum : tensor<64x256xf16>, tensor<256x256xf16>, tensor<64x256xf32>
    scf.yield %next : tensor<64x256xf32>
  }
  return %all : tensor<64x256xf32>
}
