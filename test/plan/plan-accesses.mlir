// How a view is read and written: as wide as the layout has neighbours, aligned where that is proven, compared as little with the extents as is known.
// RUN: %tessera-opt --tile-plan-accesses %s | FileCheck %s

#rows = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 128], []>
#pairs = #tile.layout<[1, 128], [2, 4, 8, 16, 32], [64]>

// Nothing is known: eight halves at once if a test at run time allows it, every element compared with the extents.
// CHECK-LABEL: func.func @nothing_known
// CHECK: access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>
func.func @nothing_known(%p: !llvm.ptr, %n: i32, %i: i32) -> tensor<16x16xf16, #rows> {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %i) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16, #rows>
  return %x : tensor<16x16xf16, #rows>
}

// The base, the stride between rows, the first column and the number of columns are multiples of eight halves: aligned. The number of rows
// is anything: checked.
// CHECK-LABEL: func.func @aligned
// CHECK: access = #tile.access<8 along 1, aligned = true, bounds = [checked, checked]>
func.func @aligned(%p: !llvm.ptr, %n: i32, %m: i32, %i: i32) -> tensor<16x16xf16, #rows> {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %columns = tile.assume %n {divisible = 8 : i64} : i32
  %start = arith.muli %i, %c16 : i32
  %x = tile.view_load %base extents(%m, %columns) strides(%columns, %c1) starts(%start, %start) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16, #rows>
  return %x : tensor<16x16xf16, #rows>
}

// One fact short, and the test at run time is back: here the base is a multiple of eight bytes.
// CHECK-LABEL: func.func @half_aligned
// CHECK: access = #tile.access<8 along 1, aligned = false, bounds = [whole, whole]>
func.func @half_aligned(%p: !llvm.ptr, %i: i32) -> tensor<16x16xf16, #rows> {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %base = tile.assume %p {aligned = 8 : i64} : !llvm.ptr
  %start = arith.muli %i, %c16 : i32
  %x = tile.view_load %base extents(%c16, %c16) strides(%c16, %c1) starts(%start, %start) padding zero
      {staticExtents = array<i64: 16, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16, #rows>
  return %x : tensor<16x16xf16, #rows>
}

// Extents and starts that are multiples of the box: no box lies across an edge, though one may lie outside
// altogether.
// CHECK-LABEL: func.func @whole
// CHECK: tile.view_store {{.*}}access = #tile.access<4 along 1, aligned = true, bounds = [whole, whole]>
func.func @whole(%x: tensor<16x16xf32, #rows>, %p: !llvm.ptr, %n: i32, %i: i32) {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %extent = tile.assume %n {divisible = 64 : i64} : i32
  %start = arith.muli %i, %c16 : i32
  tile.view_store %x, %base extents(%extent, %extent) strides(%extent, %c1) starts(%start, %start)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  return
}

// An extent of one is no exception: the row before the first is outside.
// CHECK-LABEL: func.func @one_row
// CHECK: bounds = [whole, inside]>
func.func @one_row(%p: !llvm.ptr, %n: i32, %i: i32) -> tensor<1x256xf32, #tile.layout<[1, 128], [2, 4, 8, 16, 32], [64]>> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.subi %i, %c1 : i32
  %x = tile.view_load %p extents(%n, %c256) strides(%c256, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 256>, staticStrides = array<i64: 256, 1>} : (i32, i32) (i32, i32) (i32, i32)
      -> tensor<1x256xf32, #tile.layout<[1, 128], [2, 4, 8, 16, 32], [64]>>
  return %x : tensor<1x256xf32, #tile.layout<[1, 128], [2, 4, 8, 16, 32], [64]>>
}

// Constants, the bounds of a loop and what the program vouches for prove that a box is inside.
// CHECK-LABEL: func.func @inside
// CHECK-COUNT-2: bounds = [inside, inside]>
// CHECK: bounds = [whole, inside]>
func.func @inside(%x: tensor<16x16xf32, #rows>, %p: !llvm.ptr, %i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %k = tile.assume %i {low = 0 : i64, high = 3 : i64} : i32
  %row = arith.muli %k, %c16 : i32
  scf.for %column = %c0 to %c64 step %c16 : i32 {
    tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%c0, %c0)
        {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
    tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%row, %c0)
        {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
    %unknown = arith.muli %j, %c16 : i32
    tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%unknown, %column)
        {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// No more at once than a thread has neighbours.
// CHECK-LABEL: func.func @pairs
// CHECK: access = #tile.access<2 along 1, aligned = false, bounds = [checked, checked]>
func.func @pairs(%x: tensor<16x16xf32, #pairs>, %p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<16x16xf32, #pairs> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Memory with gaps is read element by element, for which any address will do.
// CHECK-LABEL: func.func @strided
// CHECK: access = #tile.access<1 along 1, aligned = true, bounds = [checked, checked]>
func.func @strided(%p: !llvm.ptr, %n: i32) -> tensor<16x16xf32, #rows> {
  %x = tile.view_load %p extents(%n, %n) strides(%n, %n) starts(%n, %n) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, -1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf32, #rows>
  return %x : tensor<16x16xf32, #rows>
}

// Facts survive arithmetic: a sum of multiples, a counted loop by multiples, an address moved by multiples.
// CHECK-LABEL: func.func @arithmetic
// CHECK: access = #tile.access<8 along 1, aligned = true, bounds = [whole, whole]>
func.func @arithmetic(%p: !llvm.ptr, %n: i32, %k: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %c48 = arith.constant 48 : i32
  %base = tile.assume %p {aligned = 64 : i64} : !llvm.ptr
  %offset = tile.assume %k {divisible = 8 : i64} : i64
  %moved = llvm.getelementptr %base[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, f16
  %extent = arith.shli %n, %c4 : i32
  scf.for %i = %c0 to %n step %c16 : i32 {
    %start = arith.addi %i, %c48 : i32
    %x = tile.view_load %moved extents(%extent, %extent) strides(%extent, %c1) starts(%start, %start) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16, #rows>
    scf.yield
  }
  return
}

// An asynchronous copy goes by the same rules.
// CHECK-LABEL: func.func @copy
// CHECK: tile.copy_async {{.*}} {access = #tile.access<8 along 1, aligned = true, bounds = [inside, inside]>}
func.func @copy(%p: !llvm.ptr, %s: !tile.shared<16x16xf16, 0, 0, 0>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  tile.copy_async %s, %base extents(%c64, %c64) strides(%c64, %c1) starts(%c0, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>}
      : !tile.shared<16x16xf16, 0, 0, 0> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A condition bounds what it compares: the copy is made only where the column is one of the loop's. The row may be any.
// CHECK-LABEL: func.func @copy_ahead
// CHECK: tile.copy_async {{.*}} {access = #tile.access<8 along 1, aligned = true, bounds = [whole, inside]>}
func.func @copy_ahead(%p: !llvm.ptr, %s: !tile.shared<16x16xf16, 0, 0, 0>, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %row = arith.muli %j, %c16 : i32
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %ahead = arith.addi %i, %c2 : i32
    %exists = arith.cmpi slt, %ahead, %c4 : i32
    %column = arith.muli %ahead, %c16 : i32
    tile.copy_async %s, %base extents(%c64, %c64) strides(%c64, %c1) starts(%row, %column) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>}
        : !tile.shared<16x16xf16, 0, 0, 0> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// The conditions of branches around an access, on whichever side the value stands and joined by "and"; what is compared
// as unsigned is not below 0. In the other branch the opposite holds: not below 0 and not above 3 is little, but not
// below 0 or above 3 is all.
// CHECK-LABEL: func.func @in_branches
// CHECK: } else {
// CHECK: bounds = [whole, inside]>
// CHECK: bounds = [inside, inside]>
// CHECK: } else {
// CHECK: bounds = [whole, inside]>
// CHECK: } else {
// CHECK: bounds = [inside, inside]>
func.func @in_branches(%x: tensor<16x16xf32, #rows>, %p: !llvm.ptr, %i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %row = arith.muli %i, %c16 : i32
  %known = arith.cmpi ult, %i, %c4 : i32
  scf.if %known {
  } else {
    tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%row, %c0)
        {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  }
  %column = arith.muli %j, %c16 : i32
  %low = arith.cmpi sle, %c0, %j : i32
  %high = arith.cmpi sgt, %c4, %j : i32
  %both = arith.andi %low, %high : i1
  scf.if %both {
    scf.if %known {
      tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%row, %column)
          {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
    } else {
      tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%row, %column)
          {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
    }
  }
  %below = arith.cmpi slt, %j, %c0 : i32
  %above = arith.cmpi sge, %j, %c4 : i32
  %either = arith.ori %below, %above : i1
  scf.if %either {
  } else {
    tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%c0, %column)
        {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// A choice is as its condition says where it takes either value: what is written as a comparison is bounded as min and max.
// CHECK-LABEL: func.func @chosen
// CHECK: bounds = [inside, inside]>
// CHECK: bounds = [whole, inside]>
func.func @chosen(%x: tensor<16x16xf32, #rows>, %p: !llvm.ptr, %i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %large = arith.cmpi sgt, %i, %c3 : i32
  %most = arith.select %large, %c3, %i : i32
  %small = arith.cmpi slt, %most, %c0 : i32
  %both = arith.select %small, %c0, %most : i32
  %row = arith.muli %both, %c16 : i32
  tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%row, %c0)
      {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  %wrong = arith.select %small, %most, %c0 : i32
  %row_2 = arith.muli %wrong, %c16 : i32
  tile.view_store %x, %p extents(%c64, %c64) strides(%c64, %c1) starts(%row_2, %c0)
      {staticExtents = array<i64: 64, 64>, staticStrides = array<i64: 64, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A persistent loop over four rows of eight boxes: quotients, remainders and minima have bounds. Unsigned, a number that
// may be negative is a large one; a divisor that may be 0 says nothing.
// CHECK-LABEL: func.func @divided
// CHECK: bounds = [inside, inside]>
// CHECK: bounds = [whole, inside]>
// CHECK: bounds = [inside, whole]>
// CHECK: bounds = [whole, whole]>
func.func @divided(%x: tensor<16x16xf32, #rows>, %p: !llvm.ptr, %i: i32) {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %block = tile.block_index 0
  %blocks = tile.grid_size 0
  scf.for %t = %block to %c32 step %blocks : i32 {
    %left = arith.subi %c64, %t : i32
    %group = arith.minsi %left, %c8 : i32
    %r = arith.divsi %t, %group : i32
    %c = arith.remsi %t, %group : i32
    %row = arith.muli %r, %c16 : i32
    %column = arith.muli %c, %c16 : i32
    tile.view_store %x, %p extents(%c64, %c128) strides(%c128, %c1) starts(%row, %column)
        {staticExtents = array<i64: 64, 128>, staticStrides = array<i64: 128, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  }
  %r = arith.divui %i, %c8 : i32
  %c = arith.remui %i, %c8 : i32
  %row = arith.muli %r, %c16 : i32
  %column = arith.muli %c, %c16 : i32
  tile.view_store %x, %p extents(%c64, %c128) strides(%c128, %c1) starts(%row, %column)
      {staticExtents = array<i64: 64, 128>, staticStrides = array<i64: 128, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  %some = arith.andi %i, %c4 : i32
  %r_2 = arith.remsi %some, %c4 : i32
  %c_2 = arith.remsi %i, %c8 : i32
  %row_2 = arith.muli %r_2, %c16 : i32
  %column_2 = arith.muli %c_2, %c16 : i32
  tile.view_store %x, %p extents(%c64, %c128) strides(%c128, %c1) starts(%row_2, %column_2)
      {staticExtents = array<i64: 64, 128>, staticStrides = array<i64: 128, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  %r_3 = arith.remsi %c4, %some : i32
  %row_3 = arith.muli %r_3, %c16 : i32
  tile.view_store %x, %p extents(%c64, %c128) strides(%c128, %c1) starts(%row_3, %column_2)
      {staticExtents = array<i64: 64, 128>, staticStrides = array<i64: 128, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What the program promises not to wrap has bounds, and so has a shifted number: 16 * n is at least 16 where n is above
// 0, unless it may wrap.
// CHECK-LABEL: func.func @promised
// CHECK: bounds = [inside, whole]>
// CHECK: bounds = [inside, inside]>
func.func @promised(%x: tensor<16x16xf32, #rows>, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c28 = arith.constant 28 : i32
  %c32 = arith.constant 32 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  scf.if %positive {
    %kept = arith.muli %n, %c16 overflow<nsw> : i32
    %any = arith.muli %n, %c16 : i32
    tile.view_store %x, %p extents(%kept, %any) strides(%any, %c1) starts(%c0, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  }
  %few = arith.shrui %n, %c28 : i32
  tile.view_store %x, %p extents(%c32, %c32) strides(%c32, %c1) starts(%few, %few)
      {staticExtents = array<i64: 32, 32>, staticStrides = array<i64: 32, 1>} : tensor<16x16xf32, #rows> (i32, i32) (i32, i32) (i32, i32)
  return
}
