// A kernel that stands beside another one, whose sum leaves no room for another block: a warp of its own fills the ring, and blocks do the work of one place of the grid after the other.
// RUN: %tessera-opt --split-input-file --tile-select-mma-instructions --tile-pipeline-loops --tile-bulk-stores --canonicalize --cse %s | FileCheck %s
// RUN: sed "s/, tile.coarsened_from = .k.//" %s | %tessera-opt --split-input-file --tile-select-mma-instructions --tile-pipeline-loops | FileCheck %s --check-prefix=ALONE

// What stands beside nothing must run whatever the views are.
// ALONE-NOT: producer_warp

// CHECK-LABEL: func.func @product.merged
// CHECK-SAME: tile.warp_specialized = 232
// CHECK-DAG: %[[PANELS:.*]] = tile.shared_alloc stages 2 : <128x64xbf16, panels>
// CHECK-DAG: %[[A:.*]] = tile.shared_alloc stages 4 : <128x64xbf16, panels>
// CHECK-DAG: %[[B:.*]] = tile.shared_alloc stages 4 : <64x256xbf16, panels>
// CHECK-DAG: %[[FIRST:.*]] = tile.first_work_tile
// CHECK-DAG: %[[COUNT:.*]] = tile.work_tile_count
// CHECK-DAG: %[[STEP:.*]] = tile.work_tile_step
// CHECK: %[[MA:.*]] = tile.make_tensor_map 8 given 0, {{.*}} {needed}
// CHECK: %[[MB:.*]] = tile.make_tensor_map 8 given 1, {{.*}} {needed}
// CHECK: %[[R:.*]] = tile.init_barriers %{{.*}} of %[[MA]], %[[MB]] stages 4 copies 2 {readers = 2 : i64}
// CHECK: tile.producer_warp registers 40 {
// CHECK: scf.for %[[P:.*]] = %[[FIRST]] to %[[COUNT]] step %[[STEP]] iter_args(%[[NEXT:.*]] = %c0
// CHECK: tile.block_index 1 of %[[P]]
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %arg5 step %c64{{.*}} iter_args(%[[FILL:.*]] = %[[NEXT]])
// CHECK: tile.producer_acquire %[[R]][%[[FILL]] : i32]
// CHECK: tile.copy_async %{{.*}} starts(%{{.*}}, %[[I]]) {{.*}} by %[[MA]] at %[[R]]
// CHECK: tile.copy_async %{{.*}} starts(%[[I]], %{{.*}}) {{.*}} by %[[MB]] at %[[R]]
// CHECK-NOT: commit_group
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[COUNT]] step %[[STEP]]
// CHECK: tile.mma_begin
// CHECK: scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] = %{{[^,]*}}, %[[READ:[^ ]*]] = %{{[^,]*}}, %[[BEFORE:[^ ]*]] = %c-1
// CHECK-NEXT: tile.wait_group 0 of %[[R]][%[[READ]] : i32]
// CHECK: tile.shared_mma wgmma {{.*}} {inFlight}
// CHECK-NEXT: tile.mma_wait 1
// CHECK-NEXT: tile.consumer_release %[[R]][%[[BEFORE]] : i32]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[READ]]
// CHECK: tile.mma_finish
// CHECK-NEXT: tile.consumer_release %[[R]]
// CHECK: tile.make_tensor_map 0 given 2, {{.*}} for !tile.shared<64x64xbf16, panels> :
// CHECK: tile.store_parts {{.*}} : tensor<128x256xbf16>, <128x64xbf16, panels>
// CHECK-NOT: tile.view_store
// CHECK-NOT: invalidate_barriers
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @product.merged(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "product_coarsened", tile.cycles = 1024 : i64, tile.coarsening = array<i64: 2, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  %c = tile.cast %sum : tensor<128x256xf32> -> tensor<128x256xbf16>
  tile.view_store %c, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Where the loop ends is read from memory that the kernel may write: the warp would read it at another time. Rings as before, without another way to copy.
// CHECK-LABEL: func.func @bound.merged
// CHECK-NOT: producer_warp
// CHECK: tile.init_barriers %{{.*}} stages 4 copies 2 :
// CHECK: tile.copy_async
// CHECK-NOT: commit_group
// CHECK: tile.wait_group 1 of
// CHECK-NOT: shift_rows
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @bound.merged(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr, %m: i32, %n: i32, %counts: !llvm.ptr)
    attributes {tile.kernel = "bound_coarsened", tile.cycles = 1024 : i64, tile.coarsening = array<i64: 2, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %k = llvm.load %counts : !llvm.ptr -> i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %m) strides(%m, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%m, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  %c = tile.cast %sum : tensor<128x256xf32> -> tensor<128x256xbf16>
  tile.view_store %c, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Several stores: two of the sum leave in parts, through panels of their own beside three stages; what is small is stored by threads, in the loop and behind it.
// CHECK-LABEL: func.func @several.merged
// CHECK-SAME: tile.warp_specialized = 232
// CHECK-DAG: tile.shared_alloc stages 2 : <128x64xbf16, panels>
// CHECK-DAG: tile.shared_alloc stages 2 : <128x32xf32, panels>
// CHECK-DAG: tile.shared_alloc stages 3 : <64x256xbf16, panels>
// CHECK: tile.producer_warp registers {{[0-9]+}} {
// CHECK: tile.shared_mma wgmma {{.*}} {inFlight}
// CHECK: llvm.store
// CHECK: tile.store_parts {{.*}} : tensor<128x256xbf16>, <128x64xbf16, panels>
// CHECK: tile.store_parts {{.*}} : tensor<128x256xf32>, <128x32xf32, panels>
// CHECK: tile.view_store {{.*}} : tensor<128x1xf32>
module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {
func.func @several.merged(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %e: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel = "product_coarsened", tile.cycles = 1024 : i64, tile.coarsening = array<i64: 2, 1>, tile.coarsened_from = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %t = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    llvm.store %i, %d : i32, !llvm.ptr
    scf.yield %t : tensor<128x256xf32>
  }
  %c = tile.cast %sum : tensor<128x256xf32> -> tensor<128x256xbf16>
  tile.view_store %c, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %e extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  %top = tile.reduce max %sum along 1 : tensor<128x256xf32> -> tensor<128x1xf32>
  tile.view_store %top, %d extents(%m, %n) strides(%n, %c1) starts(%row, %x)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x1xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
