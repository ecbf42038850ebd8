// What comes of tensor cores goes to a view by bulk copies out of shared memory, where the launch can make a map of the view; where the map does not exist when the kernel runs, threads store from the same tile.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-bulk-stores %s | FileCheck %s
// RUN: sed "s/, tile.launched//" %s | %tessera-opt --tile-select-mma-instructions --tile-bulk-stores | FileCheck %s --check-prefix=NONE
// RUN: sed "s/sm_90a/sm_80/" %s | %tessera-opt --tile-select-mma-instructions --tile-bulk-stores | FileCheck %s --check-prefix=NONE

// Who launches an image makes no maps, and older GPUs have none.
// NONE-NOT: bulk_store

module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {

// The end of the kernel is early enough for what is written: nobody waits for it.
// CHECK-LABEL: func.func @rounded
// CHECK: %[[SUM:.*]] = tile.shared_mma wgmma
// CHECK: %[[X:.*]] = tile.cast %[[SUM]]
// CHECK: %[[MAP:.*]] = tile.make_tensor_map 0 given 0, %arg2 extents(%arg3, %arg3) strides(%arg3, %c1{{.*}}) for !tile.shared<128x64xbf16, panels>
// CHECK: %[[TILE:.*]] = tile.shared_alloc : {{.*}}<128x64xbf16, panels>
// CHECK: tile.shared_store %[[X]], %[[TILE]]
// CHECK: %[[EXISTS:.*]] = tile.tensor_map_exists %[[MAP]]
// CHECK: scf.if %[[EXISTS]]
// CHECK-NEXT: tile.bulk_store %[[TILE]], %arg2 extents(%arg3, %arg3) strides(%arg3, %c1{{.*}}) starts(%c0{{.*}}, %c0{{.*}}) by %[[MAP]] :
// CHECK-NEXT: else
// CHECK-NEXT: %[[LOADED:.*]] = tile.shared_load %[[TILE]]
// CHECK-NEXT: tile.view_store %[[LOADED]], %arg2
func.func @rounded(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  %x = tile.cast %sum : tensor<128x64xf32> -> tensor<128x64xbf16>
  tile.view_store %x, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A loop's sum, in another shape: the box has the shape that is stored. A later iteration's store
// waits for what the one before writes.
// CHECK-LABEL: func.func @again
// CHECK: scf.for
// CHECK: %[[MAP:.*]] = tile.make_tensor_map 0 given 0, %arg2 {{.*}} {box = array<i64: 1, 128, 64>}
// CHECK: tile.bulk_store {{.*}} by %[[MAP]] {box = array<i64: 1, 128, 64>, inOrder}
func.func @again(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %init) -> (tensor<128x64xf32>) : i32 {
      %next = tile.mma %a, %b, %s : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
      scf.yield %next : tensor<128x64xf32>
    }
    %x = tile.reshape %sum : tensor<128x64xf32> -> tensor<1x128x64xf32>
    tile.view_store %x, %c extents(%n, %n, %n) strides(%n, %n, %c1) starts(%i, %c0, %c0)
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : tensor<1x128x64xf32> (i32, i32, i32) (i32, i32, i32) (i32, i32, i32)
  }
  return
}

// Two results: neither may be what the other writes. Of one view, they go by one map, in order.
// CHECK-LABEL: func.func @two
// CHECK: make_tensor_map 0 given 0, %arg2
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} :
// CHECK: make_tensor_map 0 given 1, %arg3
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} :
// CHECK: make_tensor_map 0 given 0, %arg2
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} {inOrder} :
func.func @two(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %d extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c1, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Without that, one could be a bulk store and the other none.
// CHECK-LABEL: func.func @either
// CHECK-NOT: bulk_store
func.func @either(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %d: !llvm.ptr, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %d extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What was there is read before: that is over by then.
// CHECK-LABEL: func.func @added
// CHECK: tile.bulk_store
func.func @added(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %old = tile.view_load %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xf32>
  %sum = tile.mma %a, %b, %old : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// ... but not in a loop, where the next iteration's read comes behind the store.
// CHECK-LABEL: func.func @added_again
// CHECK-NOT: bulk_store
func.func @added_again(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %old = tile.view_load %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xf32>
    %sum = tile.mma %a, %b, %old : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
    tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// Another block may read behind a release, or have written before an acquire.
// CHECK-LABEL: func.func @released
// CHECK-NOT: bulk_store
func.func @released(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr {tile.restrict}, %flag: !llvm.ptr {tile.restrict}, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  %old = tile.atomic_rmw add %flag, %c1, %true release device : !llvm.ptr, i32, i1
  return
}

// Warps that meet, as where a stage is released, order no other block.
// CHECK-LABEL: func.func @met
// CHECK: tile.bulk_store
func.func @met(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr {tile.restrict}, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.barrier of 4
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// An iteration of one multiply is over before what it stores is there.
// CHECK-LABEL: func.func @each
// CHECK-NOT: bulk_store
func.func @each(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr {tile.restrict}, %n: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
    tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%i, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// What the kernel itself wrote there, threads wrote.
// CHECK-LABEL: func.func @written
// CHECK-NOT: bulk_store
func.func @written(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32, %init: tensor<128x64xf32>, %p: tensor<64x!llvm.ptr>, %x: tensor<64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile.store %x, %p : tensor<64xf32>, tensor<64x!llvm.ptr>
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Left alone: what no tensor core made; rows of less than 32 bytes; boxes that are too high; bits;
// strides between elements, rows that are not aligned; views that blocks know alone.
// CHECK-LABEL: func.func @others
// CHECK-NOT: bulk_store
func.func @others(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr {tile.restrict}, %n: i32, %init: tensor<128x64xf32>, %plain: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c30 = arith.constant 30 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  tile.view_store %plain, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  %narrow = tile.reshape %sum : tensor<128x64xf32> -> tensor<128x16x4xf32>
  tile.view_store %narrow, %c extents(%n, %n, %n) strides(%n, %n, %c1) starts(%c0, %c0, %c0)
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : tensor<128x16x4xf32> (i32, i32, i32) (i32, i32, i32) (i32, i32, i32)
  %high = tile.reshape %sum : tensor<128x64xf32> -> tensor<512x16xf32>
  tile.view_store %high, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<512x16xf32> (i32, i32) (i32, i32) (i32, i32)
  %bits = tile.compare lt %sum, %plain : tensor<128x64xf32> -> tensor<128x64xi1>
  tile.view_store %bits, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xi1> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c2) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 2>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %c extents(%n, %c30) strides(%c30, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, 30>, staticStrides = array<i64: 30, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  %block = tile.block_index 0
  tile.view_store %sum, %c extents(%block, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Not where a block would take so much shared memory for it that fewer fit an SM: 128 rows and
// columns of 8 bytes.
// CHECK-LABEL: func.func @large
// CHECK-NOT: bulk_store
func.func @large(%a: tensor<128x64xbf16>, %b: tensor<64x128xbf16>, %c: !llvm.ptr {tile.restrict}, %n: i32, %init: tensor<128x128xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
  %x = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xf64>
  tile.view_store %x, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x128xf64> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Two parts of a result: where the one begins behind the other's end nobody waits; where it begins
// within it, or rows may overlap, they are in order.
// CHECK-LABEL: func.func @apart
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} :
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} :
func.func @apart(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32, %ld: i32, %number: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant 64 : i32
  %c64 = arith.constant 64 : i32
  %column = arith.muli %number, %c64 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  %next = arith.addi %column, %by : i32
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %next)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// CHECK-LABEL: func.func @within
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} :
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} {inOrder}
func.func @within(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32, %ld: i32, %number: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %column = arith.muli %number, %c64 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  %next = arith.addi %column, %by : i32
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %c extents(%n, %n) strides(%n, %c1) starts(%c0, %next)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// CHECK-LABEL: func.func @rows_unknown
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} :
// CHECK: tile.bulk_store {{.*}} by %{{[^ ]*}} {inOrder}
func.func @rows_unknown(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>, %c: !llvm.ptr, %n: i32, %ld: i32, %number: i32, %init: tensor<128x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant 64 : i32
  %c64 = arith.constant 64 : i32
  %column = arith.muli %number, %c64 : i32
  %sum = tile.mma %a, %b, %init : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
  %next = arith.addi %column, %by : i32
  tile.view_store %sum, %c extents(%n, %n) strides(%ld, %c1) starts(%c0, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %c extents(%n, %n) strides(%ld, %c1) starts(%c0, %next)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
