// A view whose unit stride comes before the last dimension is accessed through its permutation with the unit stride last.
// RUN: %tessera-opt --tile-contiguous-last %s | FileCheck %s

// CHECK-LABEL: func.func @load
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[LD:.*]]: i64, %[[ONE:.*]]: i64, %[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK: %[[T:.*]] = tile.view_load %[[P]] extents(%[[N]], %[[M]]) strides(%[[LD]], %[[ONE]]) starts(%[[J]], %[[I]]) padding nan {staticExtents = array<i64: 32, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<32x64xf32>
// CHECK: %[[X:.*]] = tile.permute %[[T]] [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
// CHECK: return %[[X]]
func.func @load(%p: !llvm.ptr, %m: i32, %n: i32, %ld: i64, %one: i64, %i: i32, %j: i32) -> tensor<64x32xf32> {
  %x = tile.view_load %p extents(%m, %n) strides(%one, %ld) starts(%i, %j) padding nan
      {staticExtents = array<i64: -1, 32>, staticStrides = array<i64: 1, -1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<64x32xf32>
  return %x : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @store
// CHECK-SAME: (%[[X:.*]]: tensor<64x32xf32>, %[[P:.*]]: !llvm.ptr, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[LD:.*]]: i64, %[[ONE:.*]]: i64, %[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK: %[[T:.*]] = tile.permute %[[X]] [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
// CHECK: tile.view_store %[[T]], %[[P]] extents(%[[N]], %[[M]]) strides(%[[LD]], %[[ONE]]) starts(%[[J]], %[[I]])
func.func @store(%x: tensor<64x32xf32>, %p: !llvm.ptr, %m: i32, %n: i32, %ld: i64, %one: i64, %i: i32, %j: i32) {
  tile.view_store %x, %p extents(%m, %n) strides(%one, %ld) starts(%i, %j)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1, -1>} : tensor<64x32xf32> (i32, i32) (i64, i64) (i32, i32)
  return
}

// The other dimensions keep their order: here 1 moves behind 0 and 2, and the result is put back.
// CHECK-LABEL: func.func @rank_three
// CHECK: %[[T:.*]] = tile.view_load {{.*}} staticStrides = array<i64: -1, -1, 1>{{.*}} -> tensor<2x8x4xf32>
// CHECK: tile.permute %[[T]] [0, 2, 1] : tensor<2x8x4xf32> -> tensor<2x4x8xf32>
func.func @rank_three(%p: !llvm.ptr, %n: i32, %ld: i64) -> tensor<2x4x8xf32> {
  %x = tile.view_load %p extents(%n, %n, %n) strides(%ld, %ld, %ld) starts(%n, %n, %n) padding zero
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, 1, -1>} : (i32, i32, i32) (i64, i64, i64) (i32, i32, i32) -> tensor<2x4x8xf32>
  return %x : tensor<2x4x8xf32>
}

// Dimensions of one element come first: the elements keep their order.
// CHECK-LABEL: func.func @rows_of_heads
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[B:.*]]: i32, %[[T:.*]]: i32, %[[H:.*]]: i32, %[[D:.*]]: i32, %[[ST:.*]]: i64, %[[SH:.*]]: i64, %[[ONE:.*]]: i64)
// CHECK: %[[X:.*]] = tile.view_load %[[P]] extents(%[[B]], %[[H]], %[[T]], %[[D]]) strides(%[[ST]], %[[SH]], %[[ST]], %[[ONE]]) starts(%[[B]], %[[H]], %[[T]], %[[D]]) padding zero {staticExtents = array<i64: -1, -1, -1, 32>, staticStrides = array<i64: -1, -1, -1, 1>} : {{.*}} -> tensor<1x1x64x32xf32>
// CHECK: %[[Y:.*]] = tile.reshape %[[X]] : tensor<1x1x64x32xf32> -> tensor<1x64x1x32xf32>
// CHECK: %[[Z:.*]] = tile.reshape %[[Y]] : tensor<1x64x1x32xf32> -> tensor<1x1x64x32xf32>
// CHECK: tile.view_store %[[Z]], %[[P]] extents(%[[B]], %[[H]], %[[T]], %[[D]]) strides(%[[ST]], %[[SH]], %[[ST]], %[[ONE]]) starts(%[[B]], %[[H]], %[[T]], %[[D]])
func.func @rows_of_heads(%p: !llvm.ptr, %b: i32, %t: i32, %h: i32, %d: i32, %st: i64, %sh: i64, %one: i64) {
  %x = tile.view_load %p extents(%b, %t, %h, %d) strides(%st, %st, %sh, %one) starts(%b, %t, %h, %d) padding zero
      {staticExtents = array<i64: -1, -1, -1, 32>, staticStrides = array<i64: -1, -1, -1, 1>}
      : (i32, i32, i32, i32) (i64, i64, i64, i64) (i32, i32, i32, i32) -> tensor<1x64x1x32xf32>
  tile.view_store %x, %p extents(%b, %t, %h, %d) strides(%st, %st, %sh, %one) starts(%b, %t, %h, %d)
      {staticExtents = array<i64: -1, -1, -1, 32>, staticStrides = array<i64: -1, -1, -1, 1>}
      : tensor<1x64x1x32xf32> (i32, i32, i32, i32) (i64, i64, i64, i64) (i32, i32, i32, i32)
  return
}

// A column whose elements are contiguous is a row.
// CHECK-LABEL: func.func @column
// CHECK: tile.view_load {{.*}} -> tensor<1x64xf32>
// CHECK: tile.reshape {{.*}} : tensor<1x64xf32> -> tensor<64x1xf32>
func.func @column(%p: !llvm.ptr, %n: i32, %ld: i64, %one: i64) -> tensor<64x1xf32> {
  %x = tile.view_load %p extents(%n, %n) strides(%one, %ld) starts(%n, %n) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1, -1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<64x1xf32>
  return %x : tensor<64x1xf32>
}

// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: tile.permute
func.func @left_alone(%p: !llvm.ptr, %n: i32, %ld: i64) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %last = tile.view_load %p extents(%n, %n) strides(%ld, %ld) starts(%n, %n) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1, 1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<64x32xf32>
  %unknown = tile.view_load %p extents(%n, %n) strides(%ld, %ld) starts(%n, %n) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, -1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<64x32xf32>
  return %last, %unknown : tensor<64x32xf32>, tensor<64x32xf32>
}
