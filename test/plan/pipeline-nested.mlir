// A ring of a loop that another one runs again and again lasts through that one: the last turns of an iteration start the copies of the next one's first turns.
// RUN: %tessera-opt --tile-matrix --tile-pipeline %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {

// Before the outer loop two turns are started, as in it: behind the last turn of an iteration stands the first of the next one, whose quotient is made there alone. What divides divides by 1 behind the last iteration. The sum leaves through what four stages leave: 32 KiB.
// CHECK-LABEL: func.func @tiles
// CHECK-SAME: tile.allowance = array<i64: 4, 232448, 32768, 1, 1>
// CHECK-SAME: tile.blocks_of_rings = 1 : i64
// CHECK: tile.shared_alloc stages 4 : <128x64xbf16, panels>
// CHECK: %[[RING:.*]] = tile.begin_arrivals
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %arg2
// CHECK: %[[COUNTS:.*]] = arith.cmpi slt, %c0{{.*}}, %arg3
// CHECK: %[[FIRST:.*]] = arith.andi %[[RUNS]], %[[COUNTS]]
// CHECK: %[[STARTED:.*]]:4 = scf.for {{.*}} iter_args(%[[T:.*]] = %c0{{[^ ]*}}, %[[P:.*]] = %{{[^ ]*}}, %[[E:.*]] = %[[FIRST]], %[[ROW:.*]] = %{{.*}})
// CHECK: tile.copy_async {{.*}} starts(%{{.*}}, %[[T]]) when %[[E]] by
// CHECK: tile.commit_group
// CHECK: scf.if
// CHECK: %[[LASTS:.*]]:6 = scf.for {{.*}} iter_args(%[[READ:.*]] = %c0{{[^ ]*}}, %[[FILL:.*]] = %c2{{[^ ]*}}, %{{.*}} = %[[STARTED]]#0, %{{.*}} = %[[STARTED]]#1, %{{.*}} = %[[STARTED]]#2, %{{.*}} = %[[STARTED]]#3)
// CHECK: tile.mma_begin
// CHECK-NOT: tile.copy_async
// CHECK: %[[SUM:.*]]:7 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[R:.*]] = %[[READ]], %[[F:.*]] = %[[FILL]], %[[TURN:[^ ]*]] = %{{[^ ]*}}, %[[ITERATION:[^ ]*]] = %{{[^ ]*}}, %[[EXISTS:[^ ]*]] = %{{[^ ]*}}, %[[NEXT:[^ ]*]] = %
// CHECK-NEXT: tile.wait_group 1 of %[[RING]][%[[R]] : i32]
// CHECK: %[[START:.*]] = tile.assume %[[NEXT]] {divisible = 128 : i64
// CHECK: tile.copy_async {{.*}} starts(%[[START]], %[[TURN]]) when %[[EXISTS]] by
// CHECK: tile.copy_async {{.*}} when %[[EXISTS]] by
// CHECK: %[[LATER:.*]] = arith.addi %[[TURN]], %c64
// CHECK: %[[STAYS:.*]] = arith.cmpi slt, %[[LATER]], %arg3
// CHECK: %[[NOW:.*]]:4 = scf.if %[[STAYS]]
// CHECK-NEXT: scf.yield %[[LATER]], %[[ITERATION]], %[[EXISTS]], %[[NEXT]]
// CHECK: else
// CHECK: %[[THERE:.*]] = arith.addi %[[ITERATION]], %{{.*}} : i32
// CHECK: %[[COMES:.*]] = arith.andi %[[EXISTS]], %{{.*}}
// CHECK: %[[DIVIDES:.*]] = arith.andi %[[COMES]], %{{.*}}
// CHECK: arith.select %[[DIVIDES]], %arg4, %c1
// CHECK: arith.divsi %[[THERE]],
// CHECK: scf.yield %c0{{[^ ]*}}, %[[THERE]], %[[COMES]], %{{.*}}
// CHECK: tile.shared_mma
// CHECK: tile.mma_finish %[[SUM]]#0
// CHECK-NOT: tile.wait_group
// CHECK: tile.view_store
// CHECK: scf.yield %[[SUM]]#1, %[[SUM]]#2, %[[SUM]]#3, %[[SUM]]#4, %[[SUM]]#5, %[[SUM]]#6
// CHECK: tile.wait_group 0
// CHECK-NEXT: tile.end_arrivals
func.func @tiles(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %columns: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %first = tile.block_index 0
  %blocks = tile.grid_size 0
  scf.for %t = %first to %tiles step %blocks : i32 {
    %tile = arith.divsi %t, %columns : i32
    %row = arith.muli %tile, %c128 : i32
    %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// Numbers that either loop carries and moves evenly are part of a turn; their steps may depend on the tile.
// CHECK-LABEL: func.func @carried
// CHECK: %{{.*}}:6 = scf.for {{.*}} iter_args(%[[T:.*]] = %c0{{[^ ]*}}, %[[P:.*]] = %c0{{[^ ]*}}, %[[E:.*]] = %{{.*}}, %[[AT:.*]] = %c1{{.*}}, %[[K:.*]] = %{{.*}}, %[[BY:.*]] = %{{.*}})
// CHECK: tile.copy_async {{.*}} starts(%[[AT]], %[[K]])
// CHECK: scf.if
// CHECK: %[[GROWN:.*]] = arith.addi %[[K]], %[[BY]] : i32
// CHECK: scf.yield %{{.*}}, %[[P]], %[[E]], %[[AT]], %[[GROWN]], %[[BY]]
// CHECK: %[[MOVED:.*]] = arith.addi %[[AT]], %c64{{.*}} : i32
// CHECK: %[[NEWBY:.*]] = arith.muli
// CHECK: scf.yield %c0{{[^ ]*}}, %{{.*}}, %{{.*}}, %[[MOVED]], %[[MOVED]], %[[NEWBY]]
// CHECK: return
func.func @carried(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %steps: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %last = scf.for %t = %c0 to %tiles step %c1 iter_args(%at = %c1) -> (i32) : i32 {
    %by = arith.muli %t, %c64 : i32
    %c:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%sum = %init, %k = %at) -> (tensor<128x256xf32>, i32) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%at, %k) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      %moved = arith.addi %k, %by overflow<nsw> : i32
      scf.yield %next, %moved : tensor<128x256xf32>, i32
    }
    tile.view_store %c#0, %out extents(%ld, %ld) strides(%ld, %c1) starts(%at, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
    %later = arith.addi %at, %c64 overflow<nsw> : i32
    scf.yield %later : i32
  }
  return
}

// A ring for each iteration: where a later one's reads may see this one's stores, where turns or places depend on what is read, where a view moves with the outer loop, where other loops have rings, and where the loop stands in a branch.
// CHECK-LABEL: func.func @stores
// CHECK-NOT: blocks_of_rings
// CHECK-LABEL: func.func @turns
// CHECK-NOT: blocks_of_rings
// CHECK-LABEL: func.func @places
// CHECK-NOT: blocks_of_rings
// CHECK-LABEL: func.func @extents
// CHECK-NOT: blocks_of_rings
// CHECK-LABEL: func.func @orders
// CHECK-NOT: blocks_of_rings
// CHECK-LABEL: func.func @branch
// CHECK-NOT: blocks_of_rings
// CHECK-LABEL: func.func @two
// CHECK-NOT: blocks_of_rings
func.func @stores(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %out: !llvm.ptr, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @turns(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %c = scf.for %i = %c0 to %t step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @places(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %row = llvm.load %a : !llvm.ptr -> i32
    %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @extents(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%t, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @orders(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %flag: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %true = arith.constant true
    tile.atomic_store %c1, %flag, %true release device : i32, !llvm.ptr, i1
    %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
func.func @branch(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %left = arith.cmpi ne, %t, %k : i32
    scf.if %left {
      %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
        %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
            {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
        %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
            {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
        %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
        scf.yield %next : tensor<128x256xf32>
      }
      tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
    }
  }
  return
}
func.func @two(%a: !llvm.ptr, %b: !llvm.ptr, %tiles: i32, %k: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %c = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    %d = scf.for %i = %c0 to %t step %c64 iter_args(%sum = %c) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %d, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
}
