// What a number is called by its uses, by what a test asks of it, and else by its operation.
// RUN: %tessera-opt --tile-name-values %s | FileCheck %s

#one = #tile.layout<[], [1, 2, 4, 8, 16], []>
#rows = #tile.layout<[32], [1, 2, 4, 8, 16], []>

// CHECK-LABEL: func.func @uses
func.func @uses(%a: !llvm.ptr, %n: i32, %wide: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1_64 = arith.constant 1 : i64
  // A loop counts to it, from 0 in steps of 1, or otherwise; also where it is converted first.
  // CHECK: arith.divui {{.*}} {tile.name = "iterations"}
  %count = arith.divui %n, %n : i32
  // CHECK: arith.muli {{.*}} {tile.name = "end"}
  %end = arith.muli %n, %n : i32
  // CHECK: arith.extsi {{.*}} {tile.name = "end"}
  %end64 = arith.extsi %end : i32 to i64
  // CHECK: arith.muli {{.*}} {tile.name = "begin"}
  %begin = arith.muli %wide, %wide : i64
  scf.for %i = %c0 to %count step %c1 : i32 {
    tile.print "%d"(%i) : i32
  }
  scf.for %i = %begin to %end64 step %c1_64 : i64 {
    tile.print "%d"(%i) : i64
  }
  // Of a view: what is its stride and an extent, too, is the extent.
  // CHECK: arith.muli {{.*}} {tile.name = "extent"}
  %columns = arith.muli %wide, %wide : i64
  // CHECK: arith.addi {{.*}} {tile.name = "stride"}
  %stride = arith.addi %columns, %columns : i64
  %x = tile.view_load %a extents(%wide, %columns) strides(%stride, %c1_64) starts(%wide, %wide) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i64, i64) (i64, i64) (i64, i64) -> tensor<2x32xf32, #rows>
  %y = tile.view_load %a extents(%columns, %wide) strides(%columns, %c1_64) starts(%wide, %wide) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i64, i64) (i64, i64) (i64, i64) -> tensor<2x32xf32, #rows>
  // Added to an address in the end, but not what a product is made of.
  // CHECK: arith.muli %arg1, %arg1 : i32
  %factor = arith.muli %n, %n : i32
  // CHECK: arith.muli {{.*}} {tile.name = "position"}
  %row = arith.muli %factor, %n : i32
  // CHECK: arith.addi {{.*}} {tile.name = "position"}
  %at = arith.addi %row, %n : i32
  %p = llvm.getelementptr %a[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  llvm.store %c0, %p : i32, !llvm.ptr
  return
}

// CHECK-LABEL: func.func @tests
func.func @tests(%n: i32, %m: i32, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  // CHECK: arith.cmpi eq, {{.*}} {tile.name = "is_zero"}
  %0 = arith.cmpi eq, %n, %c0 : i32
  // CHECK: arith.cmpi slt, {{.*}} {tile.name = "is_negative"}
  %1 = arith.cmpi slt, %n, %c0 : i32
  // CHECK: arith.cmpi ult, {{.*}} {tile.name = "is_less"}
  %2 = arith.cmpi ult, %n, %m : i32
  // CHECK: arith.cmpf ogt, {{.*}} {tile.name = "is_greater"}
  %greater = arith.cmpf ogt, %x, %y : f32
  // CHECK: arith.cmpf uno, {{.*}} {tile.name = "condition"}
  %isNaN = arith.cmpf uno, %x, %y : f32
  // CHECK: arith.andi {{.*}} {tile.name = "bits"}
  %low = arith.andi %n, %c1 : i32
  // CHECK: arith.cmpi ne, {{.*}} {tile.name = "is_odd"}
  %3 = arith.cmpi ne, %low, %c0 : i32
  // CHECK: arith.remsi {{.*}} {tile.name = "remainder"}
  %rest = arith.remsi %n, %c3 : i32
  // CHECK: arith.cmpi eq, {{.*}} {tile.name = "is_multiple"}
  %4 = arith.cmpi eq, %rest, %c0 : i32
  // CHECK: arith.andi {{.*}} {tile.name = "condition"}
  %5 = arith.andi %0, %1 : i1
  // Does the grid have the block beside the first one that a coarsened block computes?
  // CHECK: tile.block_index 0 {tile.name = "block_x"}
  %block = tile.block_index 0
  %size = tile.grid_size 0
  %first = arith.muli %block, %c4 : i32
  %left = arith.subi %size, %first : i32
  // CHECK: arith.cmpi ugt, {{.*}} {tile.name = "has_block_3"}
  %6 = arith.cmpi ugt, %left, %c3 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // Is there another iteration?
    // CHECK: arith.addi {{.*}} {tile.name = "i_next"}
    %next = arith.addi %i, %c3 : i32
    // CHECK: arith.cmpi slt, {{.*}} {tile.name = "has_next"}
    %7 = arith.cmpi slt, %next, %n : i32
    tile.print "%d"(%7) : i1
  }
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%x: tensor<32xf32, #one>, %n: i32) {
  %zero = arith.constant 0.0 : f32
  // CHECK: arith.ceildivui {{.*}} {tile.name = "tiles"}
  %tiles = arith.ceildivui %n, %n : i32
  // CHECK: tile.iota {tile.name = "indices"}
  %i = tile.iota : tensor<32xi32, #one>
  // CHECK: tile.classify {{.*}} {tile.name = "mask"}
  %nan = tile.classify isnan %x : tensor<32xf32, #one> -> tensor<32xi1, #one>
  %zeros = tile.splat %zero : f32 -> tensor<32xf32, #one>
  // CHECK: tile.select {{.*}} {tile.name = "masked"}
  %kept = tile.select %nan, %x, %zeros : tensor<32xi1, #one>, tensor<32xf32, #one>
  // CHECK: tile.unary exp2 {{.*}} {tile.name = "exp2"}
  %power = tile.unary exp2 %kept : tensor<32xf32, #one>
  // CHECK: tile.binary max {{.*}} {tile.name = "larger"}
  %most = tile.binary max %power, %x : tensor<32xf32, #one>
  // CHECK: tile.select {{.*}} {tile.name = "selected"}
  %one = tile.select %nan, %most, %power : tensor<32xi1, #one>, tensor<32xf32, #one>
  // CHECK: tile.scan sum {{.*}} {tile.name = "prefix_sum"}
  %sums = tile.scan sum %one along 0 : tensor<32xf32, #one>
  return
}
