// A view whose base moves with the block is a box of the whole batch in a second kernel.
// RUN: %tessera-opt --tile-batch-views --canonicalize --cse %s | FileCheck %s
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {

// CHECK-LABEL: func.func @by_axis(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr, %[[O:[^:]*]]: !llvm.ptr, %[[M:[^:]*]]: i32, %[[I:[^:]*]]: i32)
// CHECK-DAG: %[[Y:.*]] = tile.block_index 1
// CHECK-DAG: %[[BATCH:.*]] = tile.grid_size 1
// CHECK-DAG: %[[ROWS:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK-DAG: %[[STRIDE:.*]] = arith.muli %[[ROWS]], %c64_i64
// CHECK: %[[X:.*]] = tile.view_load %[[P]] extents(%[[BATCH]], %[[M]], %c64_i32) strides(%[[STRIDE]], %c64_i32, %c1_i32) starts(%[[Y]], %[[I]], %c0_i32) padding zero {staticExtents = array<i64: -1, -1, 64>, staticStrides = array<i64: -1, 64, 1>} : (i32, i32, i32) (i64, i32, i32) (i32, i32, i32) -> tensor<1x128x64xbf16>
// CHECK-NEXT: tile.view_store %[[X]], %[[O]] extents(%[[BATCH]], %[[M]], %c64_i32)
func.func @by_axis(%p: !llvm.ptr, %o: !llvm.ptr, %m: i32, %i: i32)
    attributes {tile.kernel = "by_axis", tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %bytes = arith.constant 128 : i64
  %y = tile.block_index 1
  %matrix = arith.extui %y : i32 to i64
  %rows = arith.extsi %m : i32 to i64
  %before = arith.muli %matrix, %rows : i64
  %offset = arith.muli %before, %bytes : i64
  %q = llvm.getelementptr %p[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %aligned = tile.assume %q {aligned = 16 : i64} : !llvm.ptr
  %r = llvm.getelementptr %o[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = tile.view_load %aligned extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  tile.view_store %x, %r extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0)
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : tensor<128x64xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// An offset that is equal for all blocks stays in the base; a product of 32 bits that does not wrap
// is one of 64.
// CHECK-LABEL: func.func @by_sum(
// CHECK: %[[BASE:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: tile.view_load %[[BASE]] extents(%{{.*}}, %{{.*}}, %arg1, %c64_i32) strides({{.*}}) starts(%{{.*}}, %{{.*}}, %arg3, %c0_i32) {{.*}} -> tensor<1x1x128x64xbf16>
func.func @by_sum(%p: !llvm.ptr, %m: i32, %n: i64, %i: i32) -> tensor<128x64xbf16>
    attributes {tile.kernel = "by_sum", tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %y = tile.block_index 1
  %z = tile.block_index 2
  %inner = arith.muli %y, %m overflow<nsw> : i32
  %a = arith.extsi %inner : i32 to i64
  %matrix = arith.extui %z : i32 to i64
  %b = arith.muli %matrix, %n : i64
  %both = arith.addi %a, %b : i64
  %offset = arith.addi %both, %n : i64
  %q = llvm.getelementptr %p[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = tile.view_load %q extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  return %x : tensor<128x64xbf16>
}

// The number of the block, which fits an int.
// CHECK-LABEL: func.func @by_number(
// CHECK: -> tensor<1x128x64xbf16>
func.func @by_number(%p: !llvm.ptr, %m: i32, %i: i32) -> tensor<128x64xbf16>
    attributes {tile.kernel = "by_number", tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %y = tile.block_index 1
  %z = tile.block_index 2
  %blocks = tile.grid_size 1
  %above = arith.muli %z, %blocks : i32
  %number = arith.addi %above, %y : i32
  %matrix = arith.extsi %number : i32 to i64
  %rows = arith.extsi %m : i32 to i64
  %offset = arith.muli %matrix, %rows : i64
  %q = llvm.getelementptr %p[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = tile.view_load %q extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  return %x : tensor<128x64xbf16>
}

// The same where a block does the work of two: their number need not fit.
// CHECK-LABEL: func.func @by_number_of_merged(
// CHECK-NOT: tensor<1x128x64xbf16>
// CHECK: return
func.func @by_number_of_merged(%p: !llvm.ptr, %m: i32, %i: i32) -> tensor<128x64xbf16>
    attributes {tile.kernel = "by_number_of_merged", tile.coarsening = array<i64: 2, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %y = tile.block_index 1
  %z = tile.block_index 2
  %blocks = tile.grid_size 1
  %above = arith.muli %z, %blocks : i32
  %number = arith.addi %above, %y : i32
  %matrix = arith.extsi %number : i32 to i64
  %rows = arith.extsi %m : i32 to i64
  %offset = arith.muli %matrix, %rows : i64
  %q = llvm.getelementptr %p[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = tile.view_load %q extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  return %x : tensor<128x64xbf16>
}

// An index that may be below 0, and a product that may wrap.
// CHECK-LABEL: func.func @other(
// CHECK-NOT: tensor<1x128x64xbf16>
// CHECK: return
func.func @other(%p: !llvm.ptr, %m: i32, %i: i32) -> (tensor<128x64xbf16>, tensor<128x64xbf16>)
    attributes {tile.kernel = "other", tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %rows = arith.extsi %m : i32 to i64
  %y = tile.block_index 1
  %back = arith.subi %y, %m : i32
  %index = arith.extsi %back : i32 to i64
  %first = arith.muli %index, %rows : i64
  %q = llvm.getelementptr %p[%first] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = tile.view_load %q extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  %product = arith.muli %y, %m : i32
  %second = arith.extsi %product : i32 to i64
  %r = llvm.getelementptr %p[%second] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %z = tile.view_load %r extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  return %x, %z : tensor<128x64xbf16>, tensor<128x64xbf16>
}

// An unsigned number of 32 bits.
// CHECK-LABEL: func.func @by_large_number(
// CHECK: llvm.getelementptr %arg0[%c6442450944_i64]
// CHECK: -> tensor<1x128x64xbf16>
func.func @by_large_number(%p: !llvm.ptr, %m: i32, %i: i32) -> tensor<128x64xbf16>
    attributes {tile.kernel = "by_large_number", tile.coarsening = array<i64: 1, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %far = arith.constant 3221225472 : i32
  %y = tile.block_index 1
  %sum = arith.addi %y, %far overflow<nuw> : i32
  %offset = arith.extui %sum : i32 to i64
  %q = llvm.getelementptr %p[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = tile.view_load %q extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  return %x : tensor<128x64xbf16>
}

// The kernel of all grids makes no tensor maps ahead, and keeps its base.
// CHECK-LABEL: func.func @first(
// CHECK-NOT: tensor<1x128x64xbf16>
// CHECK: return
func.func @first(%p: !llvm.ptr, %m: i32, %i: i32) -> tensor<128x64xbf16> attributes {tile.kernel = "first"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %y = tile.block_index 1
  %matrix = arith.extui %y : i32 to i64
  %rows = arith.extsi %m : i32 to i64
  %offset = arith.muli %matrix, %rows : i64
  %q = llvm.getelementptr %p[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = tile.view_load %q extents(%m, %c64) strides(%c64, %c1) starts(%i, %c0) padding zero
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: 64, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
  return %x : tensor<128x64xbf16>
}

}
