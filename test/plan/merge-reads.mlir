// A tile that is read twice is read once, unless something in between may write that memory.
// RUN: %tessera-opt --tile-merge-reads %s | FileCheck %s

// Equal addresses need not be one value yet.
// CHECK-LABEL: func.func @twice
// CHECK: %[[X:.*]] = tile.view_load %arg0
// CHECK-NOT: tile.view_load
// CHECK: return %[[X]], %[[X]]
func.func @twice(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %i: i32, %n: i32, %v: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %at = arith.muli %i, %c64 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  tile.view_store %v, %q extents(%n) strides(%c1) starts(%at)
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<64xf32> (i32) (i32) (i32)
  %again = arith.muli %i, %c64 : i32
  %y = tile.view_load %p extents(%n) strides(%c1) starts(%again) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  return %x, %y : tensor<64xf32>, tensor<64xf32>
}

// Through other pointers the store may have changed it; the third read finds the second one.
// CHECK-LABEL: func.func @written
// CHECK: %[[X:.*]] = tile.view_load %arg0
// CHECK: tile.view_store
// CHECK: %[[Y:.*]] = tile.view_load %arg0
// CHECK-NOT: tile.view_load
// CHECK: return %[[X]], %[[Y]], %[[Y]]
func.func @written(%p: !llvm.ptr, %q: !llvm.ptr, %at: i32, %n: i32, %v: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  tile.view_store %v, %q extents(%n) strides(%c1) starts(%at)
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<64xf32> (i32) (i32) (i32)
  %y = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  %z = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  return %x, %y, %z : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Other padding is another tile.
// CHECK-LABEL: func.func @padding
// CHECK: tile.view_load
// CHECK: tile.view_load
func.func @padding(%p: !llvm.ptr, %at: i32, %n: i32) -> (tensor<64xf32>, tensor<64xf32>) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  %y = tile.view_load %p extents(%n) strides(%c1) starts(%at) padding nan
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<64xf32>
  return %x, %y : tensor<64xf32>, tensor<64xf32>
}
