// Rows that nothing says are aligned to 16 bytes are copied ahead with the aligned groups that they lie in, and shifted when they are due: each row has 16 bytes for its end beside the tile.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s
// RUN: %tessera-opt --tile-pipeline-loops --tile-insert-barriers %s | FileCheck %s --check-prefix=BARRIER

module attributes {tile.target = #tile.target<"sm_90a">} {

// Of A nothing is known; each row of B begins at a multiple of 16 bytes. The shift stands behind the wait, before the barrier, and takes the box that this iteration reads.
// CHECK-LABEL: func.func @product
// CHECK: %[[A:.*]] = tile.shared_alloc stages 4 : <64x32xf16, 2, 3, 3>
// CHECK: %[[ENDS:.*]] = tile.shared_alloc stages 4 : <256xi32, 0, 0, 0>
// CHECK: %[[B:.*]] = tile.shared_alloc stages 4 : <32x64xf16, 3, 3, 3>
// CHECK-NOT: shared_alloc
// CHECK: scf.for %[[I:[^ ]*]] = {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %[[READ:[^ ]*]] = %c0{{[^ ]*}}, %[[FILL:[^ ]*]] = %c3
// CHECK: %[[HERE:.*]] = arith.muli %[[I]], %c32
// CHECK: %[[DUE:.*]] = tile.shared_slot %[[A]][%[[READ]] : i32]
// CHECK: %[[ENDS_DUE:.*]] = tile.shared_slot %[[ENDS]][%[[READ]] : i32]
// CHECK: tile.wait_group 2
// CHECK-NEXT: tile.shift_rows %[[DUE]], %arg0 extents(%{{.*}}, %{{.*}}) strides(%arg3, %{{.*}}) starts(%{{.*}}, %[[HERE]]) ends %[[ENDS_DUE]]
// CHECK-NOT: shift_rows
// CHECK: %[[TO:.*]] = tile.shared_slot %[[A]][%[[FILL]] : i32]
// CHECK: %[[ENDS_TO:.*]] = tile.shared_slot %[[ENDS]][%[[FILL]] : i32]
// CHECK: tile.copy_async %[[TO]], %arg0 {{.*}} ends %[[ENDS_TO]]
// CHECK: tile.copy_async
// CHECK-NOT: ends
// CHECK: tile.commit_group
// BARRIER-LABEL: func.func @product
// BARRIER: tile.wait_group 2
// BARRIER-NEXT: tile.shift_rows
// BARRIER-NEXT: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: tile.shared_mma
func.func @product(%a: !llvm.ptr, %bytes: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = tile.assume %bytes {aligned = 16 : i64} : !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%c32, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 32, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// Elements of 32 bits are copied one by one, wherever they are.
// CHECK-LABEL: func.func @words
// CHECK-NOT: ends
// CHECK-NOT: shift_rows
// CHECK: return
func.func @words(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf32>
    %sx = tile.shared_alloc : !tile.shared<64x32xf32, 3, 2, 3>
    tile.shared_store %x, %sx : tensor<64x32xf32>, !tile.shared<64x32xf32, 3, 2, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf32, 3, 2, 4>
    tile.shared_store %y, %sy : tensor<32x64xf32>, !tile.shared<32x64xf32, 3, 2, 4>
    %next = tile.shared_mma fma %sx, %sy, %sum : !tile.shared<64x32xf32, 3, 2, 3>, !tile.shared<32x64xf32, 3, 2, 4>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

}
