// Generated code gives a loop's variables their next values one after the other.
// RUN: %tessera-opt --tile-sequence-copies %s | FileCheck %s

#rows = #tile.layout<[32], [1, 2, 4, 8, 16], []>

// A value that an assignment before its own would overwrite is saved; the assignments before need
// nothing.
// CHECK-LABEL: func.func @swap
func.func @swap(%n: i32, %p: i32, %q: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q) -> (i32, i32) : i32 {
    // CHECK: %[[SAVED:.*]] = tile.save %{{arg[0-9]+}} : i32
    // CHECK-NEXT: scf.yield %{{arg[0-9]+}}, %[[SAVED]] : i32, i32
    scf.yield %y, %x : i32, i32
  }
  return %r#0 : i32
}

// Also behind an assumption.
// CHECK-LABEL: func.func @assumed
func.func @assumed(%n: i32, %p: i32, %q: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q) -> (i32, i32) : i32 {
    // CHECK: %[[ASSUMED:.*]] = tile.assume
    // CHECK: tile.save %[[ASSUMED]]
    %z = tile.assume %x {divisible = 4 : i64} : i32
    %next = arith.addi %x, %y : i32
    scf.yield %next, %z : i32, i32
  }
  return %r#0 : i32
}

// Values that move to variables before theirs are read in time, and one that stays is not assigned.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: tile.save
func.func @forward(%n: i32, %p: i32, %q: i32, %s: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q, %z = %s) -> (i32, i32, i32) : i32 {
    scf.yield %x, %z, %x : i32, i32, i32
  }
  return %r#1 : i32
}

// A tile is computed into the variable that carries it on, unless that is read later.
// CHECK-LABEL: func.func @in_place
func.func @in_place(%n: i32, %x: tensor<64xf32, #rows>) -> tensor<64xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %x) -> (tensor<64xf32, #rows>, tensor<64xf32, #rows>) : i32 {
    // CHECK: tile.binary add {{.*}}tile.in_place
    %next = tile.binary add %s, %x : tensor<64xf32, #rows>
    // CHECK-NEXT: tile.binary mul
    // CHECK-NOT: tile.in_place
    %last = tile.binary mul %t, %x : tensor<64xf32, #rows>
    // CHECK: tile.print
    tile.print "%f"(%t) : tensor<64xf32, #rows>
    scf.yield %next, %last : tensor<64xf32, #rows>, tensor<64xf32, #rows>
  }
  return %r#0 : tensor<64xf32, #rows>
}

// A scalar has a variable of its own: it costs nothing, and reads better.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: tile.in_place
func.func @scalar(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %next = arith.addi %s, %i : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Two tiles that swap behind a multiply that reads one of them are not moved, and what becomes the
// first is computed into the other's variable.
// CHECK-LABEL: func.func @swapped
// CHECK: tile.in_place
// CHECK: scf.yield %{{[0-9]+}}, %{{arg[0-9]+}}
// CHECK: tile.swapped = array<i64: 0, 1>
func.func @swapped(%n: i32, %x: tensor<64xf32, #rows>) -> tensor<64xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<64xf32, #rows>, tensor<64xf32, #rows>) : i32 {
    tile.mma_done %b : tensor<64xf32, #rows>
    %next = tile.binary add %a, %x : tensor<64xf32, #rows>
    scf.yield %next, %a : tensor<64xf32, #rows>, tensor<64xf32, #rows>
  }
  return %r#0 : tensor<64xf32, #rows>
}
