// Blocks that multiply small tiles get a kernel beside theirs that does several blocks' work.
// RUN: %tessera-opt --tile-coarsen-blocks --split-input-file %s | FileCheck %s

// Tiles of 64x64: four blocks along x and two along y are one of 128x256. What is stored ends where
// the grid does, since the last blocks of a group may not be there.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: tile.cycles = 256
// CHECK-LABEL: func.func @product.coarsened(
// CHECK-SAME: tile.coarsened_from = "product", tile.coarsening = array<i64: 4, 2>, tile.cycles = 1024
// CHECK: %[[X:.*]] = tile.block_index 0
// CHECK: %[[COLUMN:.*]] = arith.muli %[[X]], %{{.*}} overflow<nsw>
// CHECK: %[[FIRST:.*]] = arith.muli %[[COLUMN]], %c64
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: tile.view_load {{.*}} -> tensor<128x64xbf16>
// CHECK: tile.view_load {{.*}} starts(%{{.*}}, %[[FIRST]]) {{.*}} -> tensor<64x256xbf16>
// CHECK: tile.mma {{.*}} tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
// CHECK: tile.cast {{.*}} -> tensor<128x256xbf16>
// CHECK: %[[BLOCKS:.*]] = tile.grid_size 0
// CHECK: %[[WIDE:.*]] = arith.extui %[[BLOCKS]] : i32 to i64
// CHECK: %[[END:.*]] = arith.muli %[[WIDE]], %c64
// CHECK: arith.cmpi ult, %[[END]]
// CHECK: tile.view_store {{.*}}staticExtents = array<i64: -1, -1>
module attributes {tile.launched} {
func.func @product(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "product"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %c = tile.cast %sum : tensor<64x64xf32> -> tensor<64x64xbf16>
  tile.view_store %c, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: -1, 1>} : tensor<64x64xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// A tile that begins between those of a group: one more than the index. Blocks along y are coarsened.
// CHECK-LABEL: func.func @beside.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 1, 4>
module attributes {tile.launched} {
func.func @beside(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "beside"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %next = arith.addi %x, %c1 : i32
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %next, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Blocks with loops of their own lengths, and one that releases what it wrote to others.
// CHECK-LABEL: func.func @lengths(
// CHECK-NOT: coarsened
// CHECK-LABEL: func.func @counted(
// CHECK-NOT: coarsened
module attributes {tile.launched} {
func.func @lengths(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "lengths"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %z = arith.addi %x, %y : i32
  %length = arith.muli %z, %c64 : i32
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %length step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @counted(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %count: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "counted"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %true = arith.constant true
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  %old = tile.atomic_rmw add %count, %c1, %true release device : !llvm.ptr, i32, i1
  return
}
}

// -----

// What all blocks store, the same to the same memory, one does for them: in each iteration, and behind
// the loop. What is the same for a row of blocks alone is stored for each row, if there is a second
// one, or its boxes lie side by side.
// CHECK-LABEL: func.func @stored.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
// CHECK-LABEL: func.func @stored_by_row.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: %[[LEFT:.*]] = arith.subi
// CHECK: %[[SECOND:.*]] = arith.cmpi ugt, %[[LEFT]], %c1
// CHECK: llvm.store {{.*}}tile.of_block = array<i64: -1, 0, -1>
// CHECK: scf.if %[[SECOND]]
// CHECK-NEXT: llvm.store {{.*}}tile.of_block = array<i64: -1, 1, -1>
// CHECK-NOT: llvm.store
// CHECK-LABEL: func.func @boxes_by_row.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: tile.view_store %{{.*}} : tensor<128x256xf32>
// CHECK: tile.view_store %{{.*}} : tensor<128x64xf32>
module attributes {tile.launched} {
func.func @stored(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "stored"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    %at = llvm.getelementptr %d[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %i, %at : i32, !llvm.ptr
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @stored_by_row(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "stored_by_row"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    %at = llvm.getelementptr %d[%row] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %i, %at : i32, !llvm.ptr
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @boxes_by_row(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "boxes_by_row"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  tile.view_store %one, %d extents(%m, %n) strides(%n, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Each block stores something of its own, at a place that is computed for each; and a volatile
// access is made as often as it is written.
// CHECK-LABEL: func.func @stored_by_block.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: scf.for
// CHECK: %[[AT:.*]] = llvm.getelementptr
// CHECK-COUNT-7: llvm.getelementptr
// CHECK: llvm.store %{{.*}}, %[[AT]] {tile.of_block = array<i64: 0, 0, -1>}
// CHECK: scf.if
// CHECK-NEXT: llvm.store {{.*}}tile.of_block = array<i64: 0, 1, -1>
// CHECK-COUNT-6: llvm.store
// CHECK: scf.yield %{{.*}} : tensor<128x256xf32>
// CHECK-LABEL: func.func @stored_volatile(
// CHECK-NOT: coarsened
module attributes {tile.launched} {
func.func @stored_by_block(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "stored_by_block"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    %here = arith.addi %row, %column : i32
    %at = llvm.getelementptr %d[%here] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %i, %at : i32, !llvm.ptr
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @stored_volatile(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "stored_volatile"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    llvm.store volatile %i, %d : i32, !llvm.ptr
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// A hint: at least so many blocks of the coarsened kernel fit an SM, or as many as of the kernel's own.
// The sum of one block alone leaves no room for a second.
// CHECK-LABEL: func.func @alone.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK-LABEL: func.func @two.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 2, 2>
// CHECK-LABEL: func.func @many.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 2, 1>
module attributes {tile.launched} {
func.func @alone(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "alone", tile.occupancy = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @two(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "two", tile.occupancy = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @many(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "many", tile.occupancy = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Whoever loads an image launches it himself: there is nobody to choose.
// CHECK-LABEL: func.func @image(
// CHECK-NOT: coarsened
module {
func.func @image(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "image"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// What is repeated along with the blocks' tiles: rows that all blocks of a row add alike, and what
// a branch, taken by all, leaves as it is.
// CHECK-LABEL: func.func @epilogue.coarsened(
// CHECK: scf.if {{.*}} -> (tensor<128x256xf32>)
// CHECK: tile.broadcast {{.*}} : tensor<128x1xf32> -> tensor<128x256xf32>
// CHECK: tile.binary add {{.*}} : tensor<128x256xf32>
module attributes {tile.launched} {
func.func @epilogue(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32, %w: i1) attributes {tile.kernel = "epilogue"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %e = scf.if %w -> (tensor<64x64xf32>) {
    %d = tile.binary mul %sum, %sum : tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } else {
    scf.yield %zero : tensor<64x64xf32>
  }
  %bias = tile.view_load %r extents(%m, %c1) strides(%c1, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 1>, staticStrides = array<i64: 1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x1xf32>
  %biases = tile.broadcast %bias : tensor<64x1xf32> -> tensor<64x64xf32>
  %f = tile.binary add %e, %biases : tensor<64x64xf32>
  tile.view_store %f, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// A loop over tiles that the program numbers by itself, in rows: the coarsened kernel has a block for
// each of the tiles' places, the function beside it tells launches which places there are.
// CHECK-LABEL: func.func @numbered.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK-DAG: %[[X:.*]] = tile.block_index 0
// CHECK-DAG: %[[Y:.*]] = tile.block_index 1
// CHECK-NOT: divsi
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @numbered.tiles(
// CHECK-SAME: tile.tiles_of = "numbered.coarsened"
// CHECK: %[[FIRST:.*]] = tile.block_index 0
// CHECK: scf.for %[[TILE:.*]] = %[[FIRST]] to
// CHECK-DAG: %[[ROW:.*]] = arith.divsi %[[TILE]]
// CHECK-DAG: %[[COLUMN:.*]] = arith.remsi %[[TILE]]
// CHECK: tile.list_tile(%[[COLUMN]], %[[ROW]]) : i32, i32
// CHECK-NOT: scf.for
module attributes {tile.launched} {
func.func @numbered(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32, %columns: i32, %tiles: i32) attributes {tile.kernel = "numbered"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %blocks = tile.grid_size 0
  scf.for %tile = %x to %tiles step %blocks : i32 {
    %y = arith.divsi %tile, %columns : i32
    %z = arith.remsi %tile, %columns : i32
    %row = arith.muli %y, %c64 : i32
    %column = arith.muli %z, %c64 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
}

// -----

// Where the result may be what is read, a block's later tiles may read what its earlier ones wrote;
// where tiles of one column are stored in one place, the last one stays.
// CHECK-LABEL: func.func @seen(
// CHECK-NOT: coarsened
// CHECK-LABEL: func.func @last(
// CHECK-NOT: coarsened
module attributes {tile.launched} {
func.func @seen(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32, %columns: i32, %tiles: i32) attributes {tile.kernel = "seen"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %blocks = tile.grid_size 0
  scf.for %tile = %x to %tiles step %blocks : i32 {
    %y = arith.divsi %tile, %columns : i32
    %z = arith.remsi %tile, %columns : i32
    %row = arith.muli %y, %c64 : i32
    %column = arith.muli %z, %c64 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @last(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %m: i32, %n: i32, %k: i32, %columns: i32, %tiles: i32) attributes {tile.kernel = "last"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %blocks = tile.grid_size 0
  scf.for %tile = %x to %tiles step %blocks : i32 {
    %y = arith.divsi %tile, %columns : i32
    %z = arith.remsi %tile, %columns : i32
    %row = arith.muli %y, %c64 : i32
    %column = arith.muli %z, %c64 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%c0, %column)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
}

// -----

// A sum that fills the registers is not coarsened with others. Its blocks may take one place of the grid after the other: a kernel of one block at a time, which the pass fit-shared-memory may take away again.
// CHECK-LABEL: func.func @large(
// CHECK-SAME: tile.cycles = 1024
// CHECK-LABEL: func.func @large.coarsened(
// CHECK-SAME: tile.coarsened_from = "large", tile.coarsening = array<i64: 1, 1>, tile.cycles = 1024 : i64, tile.kernel = "large_persistent"
// CHECK-LABEL: func.func @stored_twice(
// CHECK-NOT: func.func @stored_twice.coarsened
module attributes {tile.launched} {
func.func @large(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "large"} {
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
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
// Where it may be seen who stores what, nobody else does a block's work.
func.func @stored_twice(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "stored_twice"} {
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
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// Bytes of which memory runs along K, though it is the first dimension of what is read: nothing is to be transposed, so that nothing else is in the registers.
// CHECK-LABEL: func.func @columns.coarsened(
// CHECK-SAME: tile.kernel = "columns_persistent"
module attributes {tile.launched} {
func.func @columns(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "columns"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0> : tensor<128x256xi32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c128 : i32
  %column = arith.muli %x, %c256 : i32
  %sum = scf.for %i = %c0 to %k step %c128 iter_args(%s = %zero) -> (tensor<128x256xi32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xi8>
    %b = tile.view_load %q extents(%k, %n) strides(%c1, %k) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1, -1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x256xi8>
    %t = tile.mma %a, %b, %s : tensor<128x128xi8>, tensor<128x256xi8>, tensor<128x256xi32>
    scf.yield %t : tensor<128x256xi32>
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xi32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// A name that another kernel has is taken.
// CHECK-LABEL: func.func @large.coarsened(
// CHECK-SAME: tile.kernel = "large_persistent_2"
module attributes {tile.launched} {
func.func @large(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "large"} {
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
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @other(%p: !llvm.ptr) attributes {tile.kernel = "large_persistent"} {
  return
}
}

// -----

// A number that each block carries on; blocks that do something or nothing by their own index; one
// that divides by it; an atomic whose result each of them gets. Where a block is not there nothing
// is read, written or divided.
// CHECK-LABEL: func.func @carried.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>, i32, i32, i32, i32)
// CHECK-LABEL: func.func @chosen.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: %[[ODD:.*]] = arith.remui
// CHECK: scf.if %{{.*}} -> (i32)
// CHECK: arith.divui
// CHECK: } else {
// CHECK: scf.if %{{.*}} {
// CHECK: tile.atomic_rmw add {{.*}}tile.of_block = array<i64: 0, 0, -1>
// CHECK: scf.if %{{.*}} -> (i32)
// CHECK: tile.atomic_rmw add
// CHECK: scf.yield
// CHECK: } else {
module attributes {tile.launched} {
func.func @carried(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "carried"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum, %last = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero, %own = %x) -> (tensor<64x64xf32>, i32) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    %twice = arith.muli %own, %own : i32
    %at = llvm.getelementptr %d[%twice] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %i, %at : i32, !llvm.ptr
    scf.yield %t, %twice : tensor<64x64xf32>, i32
  }
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @chosen(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "chosen"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %true = arith.constant true
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %part = arith.remui %x, %c64 : i32
  %share = arith.divui %k, %part : i32
  %isOdd = arith.cmpi eq, %part, %c1 : i32
  scf.if %isOdd {
    %here = llvm.getelementptr %d[%share] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %old = tile.atomic_rmw add %here, %c1, %true relaxed device : !llvm.ptr, i32, i1
    %there = llvm.getelementptr %d[%old] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %part, %there : i32, !llvm.ptr
  }
  %ticket = tile.atomic_rmw add %d, %c1, %true relaxed device : !llvm.ptr, i32, i1
  %to = llvm.getelementptr %d[%ticket] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %x, %to : i32, !llvm.ptr
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

// The sum leaves by pointers: numbers that grow on from a block's columns to the next one's are one
// run of numbers, and the columns of blocks that are not there are masked. A pointer that each row
// of blocks has for itself is chosen for each element.
// CHECK-LABEL: func.func @by_pointers.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: %[[IOTA:.*]] = tile.iota : tensor<1x256xi32>
// CHECK: %[[FIRST:.*]] = tile.splat %{{.*}} : i32 -> tensor<1x256xi32>
// CHECK: tile.binary add %[[IOTA]], %[[FIRST]] : tensor<1x256xi32>
// CHECK: tile.select {{.*}} : {{.*}}tensor<128x1x!llvm.ptr>
// CHECK: tile.compare lt
// CHECK: tile.store {{.*}} : tensor<128x256xf32>, tensor<128x256x!llvm.ptr>, tensor<128x256xi1>
// Folds along the columns of a block, and what is computed with them: of each block's own columns.
// CHECK-LABEL: func.func @folded.coarsened(
// CHECK-SAME: tile.coarsening = array<i64: 4, 2>
// CHECK: tile.reshape {{.*}} : tensor<128x256xf32> -> tensor<128x4x64xf32>
// CHECK: tile.reduce max {{.*}} along 2 {{.*}} -> tensor<128x4x1xf32>
// CHECK: tile.reshape {{.*}} : tensor<128x4x1xf32> -> tensor<128x4xf32>
// CHECK: tile.view_store {{.*}} : tensor<128x4xf32>
module attributes {tile.launched} {
func.func @by_pointers(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "by_pointers"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %first = arith.muli %row, %n : i32
  %corner = llvm.getelementptr %r[%first] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %from = tile.splat %corner : !llvm.ptr -> tensor<64x64x!llvm.ptr>
  %lane = tile.iota : tensor<1x64xi32>
  %before = tile.splat %column : i32 -> tensor<1x64xi32>
  %place = tile.binary add %lane, %before : tensor<1x64xi32>
  %places = tile.broadcast %place : tensor<1x64xi32> -> tensor<64x64xi32>
  %to = tile.offset %from, %places of f32 : tensor<64x64x!llvm.ptr>, tensor<64x64xi32>
  tile.store %sum, %to : tensor<64x64xf32>, tensor<64x64x!llvm.ptr>
  return
}
func.func @folded(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32) attributes {tile.kernel = "folded"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.block_index 0
  %y = tile.block_index 1
  %row = arith.muli %y, %c64 : i32
  %column = arith.muli %x, %c64 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.view_load %p extents(%m, %k) strides(%k, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %b = tile.view_load %q extents(%k, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %t = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %top = tile.reduce max %sum along 1 : tensor<64x64xf32> -> tensor<64x1xf32>
  %blocks = tile.grid_size 0
  tile.view_store %top, %d extents(%m, %blocks) strides(%blocks, %c1) starts(%row, %x)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x1xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %r extents(%m, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
