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

// A tile of one value stays one under any shape, and under what gives x for x with x.
// CHECK-LABEL: func.func @one_value
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NEXT: return %[[X]]
func.func @one_value(%x: f32) -> f32 {
  %0 = tile.splat %x : f32 -> tensor<4x1x2xf32>
  %1 = tile.permute %0 [2, 0, 1] : tensor<4x1x2xf32> -> tensor<2x4x1xf32>
  %2 = tile.broadcast %1 : tensor<2x4x1xf32> -> tensor<2x4x8xf32>
  %3 = tile.reshape %2 : tensor<2x4x8xf32> -> tensor<64xf32>
  %4 = tile.reduce min %3 along 0 : tensor<64xf32> -> tensor<1xf32>
  %5 = tile.scalar %4 : tensor<1xf32> -> f32
  return %5 : f32
}

// Dimensions of one element that are in front at last are dropped before a permutation, so that a matrix
// from a view of four dimensions is seen to be transposed.
// CHECK-LABEL: func.func @dimensions_dropped_first
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x8x16xf32>)
// CHECK-NEXT: %[[M:.*]] = tile.reshape %[[X]] : tensor<1x1x8x16xf32> -> tensor<8x16xf32>
// CHECK-NEXT: tile.permute %[[M]] [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
// CHECK-NEXT: return
func.func @dimensions_dropped_first(%x: tensor<1x1x8x16xf32>) -> tensor<16x8xf32> {
  %0 = tile.permute %x [1, 0, 3, 2] : tensor<1x1x8x16xf32> -> tensor<1x1x16x8xf32>
  %1 = tile.reshape %0 : tensor<1x1x16x8xf32> -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

// So are those that came there by it; a shape that is another stays behind.
// CHECK-LABEL: func.func @dimensions_kept
// CHECK-NEXT: tile.reshape %{{.*}} : tensor<8x1x16xf32> -> tensor<8x16xf32>
// CHECK-NEXT: tile.permute %{{.*}} [1, 0]
// CHECK-NEXT: tile.permute %{{.*}} [0, 2, 1]
// CHECK-NEXT: tile.reshape
func.func @dimensions_kept(%x: tensor<8x1x16xf32>, %y: tensor<1x8x16xf32>) -> (tensor<16x8xf32>, tensor<32x4xf32>) {
  %0 = tile.permute %x [1, 2, 0] : tensor<8x1x16xf32> -> tensor<1x16x8xf32>
  %1 = tile.reshape %0 : tensor<1x16x8xf32> -> tensor<16x8xf32>
  %2 = tile.permute %y [0, 2, 1] : tensor<1x8x16xf32> -> tensor<1x16x8xf32>
  %3 = tile.reshape %2 : tensor<1x16x8xf32> -> tensor<32x4xf32>
  return %1, %3 : tensor<16x8xf32>, tensor<32x4xf32>
}

// A sum counts its elements, a reduction that flushes subnormals changes one, and the places of an
// argument reduction are no elements.
// CHECK-LABEL: func.func @not_one_value
// CHECK: tile.reduce sum
// CHECK: tile.reduce max
// CHECK: tile.reduce argmax
func.func @not_one_value(%x: f32) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) {
  %0 = tile.splat %x : f32 -> tensor<4xf32>
  %1 = tile.reduce sum %0 along 0 : tensor<4xf32> -> tensor<1xf32>
  %2 = tile.reduce max %0 along 0 {flush} : tensor<4xf32> -> tensor<1xf32>
  %3 = tile.reduce argmax %0 along 0 : tensor<4xf32> -> tensor<1xi32>
  return %1, %2, %3 : tensor<1xf32>, tensor<1xf32>, tensor<1xi32>
}

// A permutation that leaves what has more than one element in its order is a change of shape.
// CHECK-LABEL: func.func @only_single_elements_move
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x1x16xf32>, %[[Y:.*]]: tensor<2x1x8xf32>)
// CHECK-NEXT: %[[A:.*]] = tile.reshape %[[X]] : tensor<1x8x1x16xf32> -> tensor<1x1x8x16xf32>
// CHECK-NEXT: %[[B:.*]] = tile.permute %[[Y]] [2, 1, 0]
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @only_single_elements_move(%x: tensor<1x8x1x16xf32>, %y: tensor<2x1x8xf32>) -> (tensor<1x1x8x16xf32>, tensor<8x1x2xf32>) {
  %0 = tile.permute %x [0, 2, 1, 3] : tensor<1x8x1x16xf32> -> tensor<1x1x8x16xf32>
  %1 = tile.permute %y [2, 1, 0] : tensor<2x1x8xf32> -> tensor<8x1x2xf32>
  return %0, %1 : tensor<1x1x8x16xf32>, tensor<8x1x2xf32>
}
