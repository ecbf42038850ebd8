// A multiply of batches becomes multiplies of matrices; loops and branches carry the sums of these.
// RUN: %tessera-opt --tile-split-batches %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {

// A batch of one is a matrix in another shape, and the loop carries the matrix.
// CHECK-LABEL: func.func @one
// CHECK: %[[ZERO:.*]] = tile.splat {{.*}} -> tensor<64x64xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[ZERO]]) -> (tensor<64x64xf32>)
// CHECK: tile.mma {{.*}}, {{.*}}, %[[CARRIED]] : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
// CHECK: %[[WHOLE:.*]] = tile.reshape %[[SUM]] : tensor<64x64xf32> -> tensor<1x64x64xf32>
// CHECK: return %[[WHOLE]]
func.func @one(%x: tensor<1x64x32xf16>, %y: tensor<1x32x64xf16>, %n: i32) -> tensor<1x64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<1x64x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<1x64x64xf32>) : i32 {
    %next = tile.mma %x, %y, %s : tensor<1x64x32xf16>, tensor<1x32x64xf16>, tensor<1x64x64xf32>
    scf.yield %next : tensor<1x64x64xf32>
  }
  return %sum : tensor<1x64x64xf32>
}

// Two of a batch are read one by one; the second operand, of one, is the same for both, and stays
// transposed. A branch passes the sums on.
// CHECK-LABEL: func.func @two
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-DAG: tile.view_load {{.*}} -> tensor<1x64x32xf16>
// CHECK-DAG: tile.view_load {{.*}} -> tensor<1x64x32xf16>
// CHECK: scf.if {{.*}} -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-COUNT-2: tile.mma {{.*}} : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
// CHECK-NOT: tile.mma
// CHECK: tile.cat {{.*}} along 0 : tensor<1x64x64xf32>, tensor<1x64x64xf32> -> tensor<2x64x64xf32>
func.func @two(%p: !llvm.ptr, %q: !llvm.ptr, %e: i32, %one: i32, %n: i32, %flag: i1)
    -> tensor<2x64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<2x64x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<2x64x64xf32>) : i32 {
    %x = tile.view_load %p extents(%e, %e, %e) strides(%e, %e, %one) starts(%c0, %c0, %i) padding zero
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>}
        : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<2x64x32xf16>
    %t = tile.view_load %q extents(%e, %e, %e) strides(%e, %e, %one) starts(%c0, %c0, %i) padding zero
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>}
        : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<1x64x32xf16>
    %y = tile.permute %t [0, 2, 1] : tensor<1x64x32xf16> -> tensor<1x32x64xf16>
    %next = scf.if %flag -> (tensor<2x64x64xf32>) {
      %sum = tile.mma %x, %y, %s : tensor<2x64x32xf16>, tensor<1x32x64xf16>, tensor<2x64x64xf32>
      scf.yield %sum : tensor<2x64x64xf32>
    } else {
      scf.yield %s : tensor<2x64x64xf32>
    }
    scf.yield %next : tensor<2x64x64xf32>
  }
  return %sum : tensor<2x64x64xf32>
}

// A batch that is computed, one whose box may start anywhere, one that no thread holds, and one
// that no tensor core takes, stay as they are.
// CHECK-LABEL: func.func @computed
// CHECK: tile.mma {{.*}} : tensor<2x64x32xf16>
func.func @computed(%x: tensor<2x64x32xf16>, %y: tensor<2x32x64xf16>, %s: tensor<2x64x64xf32>)
    -> tensor<2x64x64xf32> {
  %next = tile.mma %x, %y, %s : tensor<2x64x32xf16>, tensor<2x32x64xf16>, tensor<2x64x64xf32>
  return %next : tensor<2x64x64xf32>
}
// CHECK-LABEL: func.func @anywhere
// CHECK: tile.mma {{.*}} : tensor<2x64x32xf16>
func.func @anywhere(%p: !llvm.ptr, %y: tensor<1x32x64xf16>, %s: tensor<2x64x64xf32>, %e: i32,
    %one: i32, %i: i32) -> tensor<2x64x64xf32> {
  %x = tile.view_load %p extents(%e, %e, %e) strides(%e, %e, %one) starts(%i, %i, %i) padding zero
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>}
      : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<2x64x32xf16>
  %next = tile.mma %x, %y, %s : tensor<2x64x32xf16>, tensor<1x32x64xf16>, tensor<2x64x64xf32>
  return %next : tensor<2x64x64xf32>
}
// CHECK-LABEL: func.func @large
// CHECK: tile.mma {{.*}} : tensor<8x64x32xf16>
func.func @large(%p: !llvm.ptr, %y: tensor<1x32x64xf16>, %s: tensor<8x64x64xf32>, %e: i32,
    %one: i32) -> tensor<8x64x64xf32> {
  %c0 = arith.constant 0 : i32
  %x = tile.view_load %p extents(%e, %e, %e) strides(%e, %e, %one) starts(%c0, %c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>}
      : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<8x64x32xf16>
  %next = tile.mma %x, %y, %s : tensor<8x64x32xf16>, tensor<1x32x64xf16>, tensor<8x64x64xf32>
  return %next : tensor<8x64x64xf32>
}
// CHECK-LABEL: func.func @floats
// CHECK: tile.mma {{.*}} : tensor<2x64x32xf32>
func.func @floats(%p: !llvm.ptr, %y: tensor<1x32x64xf32>, %s: tensor<2x64x64xf32>, %e: i32,
    %one: i32) -> tensor<2x64x64xf32> {
  %c0 = arith.constant 0 : i32
  %x = tile.view_load %p extents(%e, %e, %e) strides(%e, %e, %one) starts(%c0, %c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>}
      : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<2x64x32xf32>
  %next = tile.mma %x, %y, %s : tensor<2x64x32xf32>, tensor<1x32x64xf32>, tensor<2x64x64xf32>
  return %next : tensor<2x64x64xf32>
}

}
