// An op that changes nothing is its operand; one that only looks like it stays.
// RUN: %tessera-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @nothing_changes
// CHECK-SAME: (%[[X:.*]]: tensor<8x8xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
func.func @nothing_changes(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = tile.cast %x : tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = tile.bitcast %x : tensor<8x8xf32> -> tensor<8x8xf32>
  %2 = tile.reshape %x : tensor<8x8xf32> -> tensor<8x8xf32>
  %3 = tile.broadcast %x : tensor<8x8xf32> -> tensor<8x8xf32>
  return %0, %1, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @scalar_of_splat
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NEXT: return %[[X]]
func.func @scalar_of_splat(%x: f32) -> f32 {
  %0 = tile.splat %x : f32 -> tensor<1x1xf32>
  %1 = tile.scalar %0 : tensor<1x1xf32> -> f32
  return %1 : f32
}

// A transpose of a square keeps its type and is no identity.
// CHECK-LABEL: func.func @square_transpose
// CHECK: tile.permute
func.func @square_transpose(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tile.permute %x [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// What nobody uses goes, unless it touches memory; a load may go, a store may not.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: return
func.func @unused(%p: !llvm.ptr, %x: i32, %m: i1) {
  %0 = tile.load %p : !llvm.ptr -> i32
  %1 = tile.iota : tensor<64xi32>
  tile.store %x, %p : i32, !llvm.ptr
  %2 = tile.atomic_rmw add %p, %x, %m relaxed device : !llvm.ptr, i32, i1
  return
}
