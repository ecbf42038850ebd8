// Values that the program has no name for are called after their role.
// RUN: %tessera-opt --tile-name-values %s | FileCheck %s

#one = #tile.layout<[], [1, 2, 4, 8, 16], []>
#rows = #tile.layout<[32], [1, 2, 4, 8, 16], []>

// CHECK-LABEL: func.func @box
func.func @box(%a: !llvm.ptr, %n: i32, %row: i32, %column: i32) {
  // A coordinate of a box, by its dimension, also where it is converted first.
  // CHECK: arith.muli {{.*}} {tile.name = "row_start"}
  %r = arith.muli %row, %n : i32
  // CHECK: arith.addi {{.*}} {tile.name = "column_start"}
  %c = arith.addi %column, %n : i32
  // CHECK: arith.extsi %{{.*}} {tile.name = "column_start"}
  %wide = arith.extsi %c : i32 to i64
  // CHECK: arith.cmpi {{.*}} {tile.name = "is_less"}
  %holds = arith.cmpi slt, %r, %n : i32
  scf.if %holds {
    // A tile that is read is called after its array.
    // CHECK: scf.if
    // CHECK: arith.extsi %{{.*}} {tile.name = "extent"}
    // CHECK: arith.extsi %{{.*}} {tile.name = "row_start"}
    // CHECK-NOT: tile.name
    %c1 = arith.constant 1 : i64
    %m = arith.extsi %n : i32 to i64
    %r64 = arith.extsi %r : i32 to i64
    %x = tile.view_load %a extents(%m, %m) strides(%m, %c1) starts(%r64, %wide) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i64, i64) (i64, i64) (i64, i64) -> tensor<2x32xf32, #rows>
  }
  return
}

// A loop's variable some iterations later. A name of the program stays.
// CHECK-LABEL: func.func @loop
func.func @loop(%n: i32, %x: tensor<32xi32, #one>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%total = %c0) -> (i32) : i32 {
    // CHECK: arith.addi {{.*}} {tile.name = "i_next"}
    %ahead = arith.addi %i, %c1 : i32
    // CHECK-NEXT: arith.cmpi slt, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32
    %own = arith.cmpi slt, %ahead, %n : i32 loc("own")
    %more = arith.extui %own : i1 to i32
    %next = arith.addi %total, %more : i32
    scf.yield %next : i32
  }
  // CHECK: tile.compare {{.*}}tile.name = "mask"
  %mask = tile.compare lt %x, %x : tensor<32xi32, #one> -> tensor<32xi1, #one>
  // CHECK: tile.reduce {{.*}}tile.name = "sum"
  %all = tile.reduce sum %x along 0 : tensor<32xi32, #one> -> tensor<1xi32, #tile.layout<[], [0, 0, 0, 0, 0], []>>
  return %sum : i32
}
