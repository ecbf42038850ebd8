// Which values generated code writes where they are used.
// RUN: %tessera-opt --tile-inline-values %s | FileCheck %s

#one = #tile.layout<[], [1, 2, 4, 8, 16], []>

// A pure scalar that is used once in its block.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%n: i32, %m: i32) -> i32 {
  // CHECK: arith.addi %{{.*}} {tile.inlined}
  %once = arith.addi %n, %m : i32
  // CHECK: arith.muli %{{[^{]*$}}
  %twice = arith.muli %once, %m : i32
  %c = arith.cmpi slt, %twice, %m : i32 loc("is_small")
  // CHECK: arith.subi %{{[^{]*$}}
  %inside = arith.subi %n, %m : i32
  // The program's name is worth a variable, as is a value of a block around the use, and one that a
  // terminator reads.
  // CHECK: scf.if
  %r = scf.if %c -> (i32) {
    // CHECK-NEXT: arith.ori %{{[^{]*$}}
    %last = arith.ori %inside, %twice : i32
    scf.yield %last : i32
  } else {
    scf.yield %n : i32
  }
  return %r : i32
}

// What costs nothing is written at each use.
// CHECK-LABEL: func.func @grid
func.func @grid() -> i32 {
  // CHECK: tile.block_index 0 {tile.expanded}
  %b = tile.block_index 0
  // CHECK: tile.grid_size 0 {tile.expanded}
  %g = tile.grid_size 0
  // CHECK: tile.assume %{{.*}}tile.expanded
  %a = tile.assume %g {low = 1 : i64} : i32
  // CHECK: arith.muli
  %r = arith.muli %b, %a : i32
  %s = arith.addi %r, %a : i32
  return %s : i32
}

// Element-wise tiles are easy to read in place; other tiles have a variable.
// CHECK-LABEL: func.func @tiles
func.func @tiles(%x: tensor<32xf32, #one>, %n: i32) -> tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], []>> {
  // CHECK: tile.binary add {{.*}}tile.inlined
  %sum = tile.binary add %x, %x : tensor<32xf32, #one>
  // CHECK: tile.unary exp {{.*}}tile.inlined
  %e = tile.unary exp %sum : tensor<32xf32, #one>
  // CHECK: tile.reduce sum
  // CHECK-NOT: tile.inlined
  %all = tile.reduce sum %e along 0 : tensor<32xf32, #one> -> tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], []>>
  // CHECK: tile.unary neg
  %r = tile.unary neg %all : tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], []>>
  return %r : tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], []>>
}

// A cast before a loop ends the life of what it is made of.
// CHECK-LABEL: func.func @before_loop
func.func @before_loop(%x: tensor<32xf32, #one>, %p: tensor<32x!llvm.ptr, #one>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tile.cast
  // CHECK-NOT: tile.inlined
  %narrow = tile.cast %x : tensor<32xf32, #one> -> tensor<32xbf16, #one>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile.trap "never"
  }
  tile.store %narrow, %p : tensor<32xbf16, #one>, tensor<32x!llvm.ptr, #one>
  return
}

// Of two names for the same registers only the last one is written.
// CHECK-LABEL: func.func @relabelled
func.func @relabelled(%x: tensor<32xf32, #one>, %p: tensor<1x32x!llvm.ptr, #tile.layout<[], [1, 2, 4, 8, 16], []>>) {
  // CHECK: tile.reshape {{.*}}tile.expanded
  %y = tile.reshape %x : tensor<32xf32, #one> -> tensor<32x1xf32, #one>
  // CHECK: tile.permute
  // CHECK-NOT: tile.expanded
  %z = tile.permute %y [1, 0] : tensor<32x1xf32, #one> -> tensor<1x32xf32, #one>
  tile.store %z, %p : tensor<1x32xf32, #one>, tensor<1x32x!llvm.ptr, #one>
  return
}

// A long expression is divided, wherever its names are short: operations and names are counted, not
// letters.
// CHECK-LABEL: func.func @long
func.func @long(%a: i32, %b: i32, %c: i32) -> i32 {
  // CHECK: arith.muli %{{.*}} {tile.inlined}
  // CHECK: arith.addi %{{.*}} {tile.inlined}
  // CHECK: arith.ori %{{.*}} {tile.inlined}
  // CHECK: arith.subi %{{.*}} {tile.inlined}
  // CHECK: arith.xori %{{[^{]*$}}
  // CHECK: arith.andi %{{[^{]*$}}
  %0 = arith.muli %a, %b : i32
  %1 = arith.addi %0, %c : i32
  %2 = arith.ori %1, %a : i32
  %3 = arith.subi %2, %b : i32
  %4 = arith.xori %3, %c : i32
  %5 = arith.andi %4, %a : i32
  return %5 : i32
}
