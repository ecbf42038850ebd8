// While loops around multiplies become counted loops over their iterations.
// RUN: %tessera-opt --tile-count-loops %s | FileCheck %s

// CHECK-LABEL: func.func @left_over
// CHECK: %[[LESS:.*]] = arith.subi %arg2, %c1
// CHECK: %[[LAST:.*]] = arith.divui %[[LESS]], %c64
// CHECK: %[[ANY:.*]] = arith.addi %[[LAST]], %c1
// CHECK: %[[HOLDS:.*]] = arith.cmpi sgt, %arg2, %c0
// CHECK: %[[TURNS:.*]] = arith.select %[[HOLDS]], %[[ANY]], %c0
// CHECK: %[[R:.*]]:3 = scf.for unsigned %{{.*}} = %c0{{.*}} to %[[TURNS]] step %c1{{.*}} iter_args(%[[SUM:.*]] = %arg1, %[[I:.*]] = %c0_i32, %[[LEFT:.*]] = %arg2)
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK: return %[[R]]#0, %[[R]]#2
func.func @left_over(%x: tensor<16x16xf16>, %init: tensor<16x16xf32>, %n: i32) -> (tensor<16x16xf32>, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %r:3 = scf.while (%sum = %init, %i = %c0, %left = %n) : (tensor<16x16xf32>, i32, i32) -> (tensor<16x16xf32>, i32, i32) {
    %more = arith.cmpi sgt, %left, %c0 : i32
    scf.condition(%more) %sum, %i, %left : tensor<16x16xf32>, i32, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32, %left: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    %less = arith.subi %left, %c64 overflow<nsw> : i32
    scf.yield %next, %j, %less : tensor<16x16xf32>, i32, i32
  }
  return %r#0, %r#2 : tensor<16x16xf32>, i32
}

// What the first region computes is computed once more behind the loop.
// CHECK-LABEL: func.func @after_test
// CHECK: %[[TURNS:.*]] = arith.select
// CHECK: %[[R:.*]]:2 = scf.for unsigned %{{.*}} to %[[TURNS]] {{.*}} iter_args(%{{.*}} = %arg1, %[[N:.*]] = %arg2)
// CHECK: arith.subi %[[N]], %c1
// CHECK: }
// CHECK: %[[SEEN:.*]] = arith.subi %[[R]]#1, %c1
// CHECK: return %[[R]]#0, %[[SEEN]]
func.func @after_test(%x: tensor<16x16xf16>, %init: tensor<16x16xf32>, %n: i32) -> (tensor<16x16xf32>, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%sum = %init, %left = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %less = arith.subi %left, %c1 overflow<nsw> : i32
    %more = arith.cmpi sgt, %left, %c0 : i32
    scf.condition(%more) %sum, %less : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %less: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    scf.yield %next, %less : tensor<16x16xf32>, i32
  }
  return %r#0, %r#1 : tensor<16x16xf32>, i32
}

// Tested behind the iteration, it takes place once at least. A store is made in every iteration, so often.
// CHECK-LABEL: func.func @tested_behind
// CHECK: %[[SECOND:.*]] = arith.addi %arg3, %c1
// CHECK: %[[HOLDS:.*]] = arith.cmpi slt, %[[SECOND]], %arg2
// CHECK: %[[FURTHER:.*]] = arith.select %[[HOLDS]]
// CHECK: %[[TURNS:.*]] = arith.addi %[[FURTHER]], %c1
// CHECK: scf.for unsigned %{{.*}} to %[[TURNS]]
// CHECK: tile.mma
// CHECK: tile.store
// CHECK-NOT: tile.store
// CHECK: return
func.func @tested_behind(%x: tensor<16x16xf16>, %init: tensor<16x16xf32>, %n: i32, %start: i32, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%sum = %init, %i = %start) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    tile.store %i, %out : i32, !llvm.ptr
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %next, %j : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    scf.yield %sum, %i : tensor<16x16xf32>, i32
  }
  return %r#0 : tensor<16x16xf32>
}

// Unsigned numbers may wrap: by ones they meet, by 64 they come to a bound that is no less than 63.
// CHECK-LABEL: func.func @unsigned_numbers
// CHECK: %[[TURNS:.*]] = arith.subi %arg3, %arg2
// CHECK: scf.for unsigned %{{.*}} to %[[TURNS]]
// CHECK: arith.cmpi ugt, %arg2, %c63
// CHECK: scf.for unsigned
// CHECK: scf.while
// CHECK: arith.cmpi ugt, %{{.*}}, %c62
// CHECK: scf.while
// CHECK: arith.cmpi ne
func.func @unsigned_numbers(%x: tensor<16x16xf16>, %init: tensor<16x16xf32>, %n: i32, %m: i32) -> tensor<16x16xf32> {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c62 = arith.constant 62 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %a:2 = scf.while (%sum = %init, %i = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %more = arith.cmpi ne, %m, %i : i32
    scf.condition(%more) %sum, %i : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %next, %j : tensor<16x16xf32>, i32
  }
  %b:2 = scf.while (%sum = %a#0, %i = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %more = arith.cmpi ugt, %i, %c63 : i32
    scf.condition(%more) %sum, %i : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.subi %i, %c64 : i32
    scf.yield %next, %j : tensor<16x16xf32>, i32
  }
  %c:2 = scf.while (%sum = %b#0, %i = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %more = arith.cmpi ugt, %i, %c62 : i32
    scf.condition(%more) %sum, %i : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.subi %i, %c64 : i32
    scf.yield %next, %j : tensor<16x16xf32>, i32
  }
  %d:2 = scf.while (%sum = %c#0, %i = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %more = arith.cmpi ne, %i, %m : i32
    scf.condition(%more) %sum, %i : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.subi %i, %c2 : i32
    scf.yield %next, %j : tensor<16x16xf32>, i32
  }
  return %d#0 : tensor<16x16xf32>
}

// These stay: a bound that the loop moves, a stride that is not known, a test that may wrap, and work on both sides of the test.
// CHECK-LABEL: func.func @others
// CHECK-NOT: scf.for
// CHECK: return
func.func @others(%x: tensor<16x16xf16>, %init: tensor<16x16xf32>, %n: i32, %m: i32, %out: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a:3 = scf.while (%sum = %init, %i = %c0, %j = %n) : (tensor<16x16xf32>, i32, i32) -> (tensor<16x16xf32>, i32, i32) {
    %more = arith.cmpi slt, %i, %j : i32
    scf.condition(%more) %sum, %i, %j : tensor<16x16xf32>, i32, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32, %j: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %k = arith.addi %i, %c1 overflow<nsw> : i32
    %l = arith.subi %j, %c1 overflow<nsw> : i32
    scf.yield %next, %k, %l : tensor<16x16xf32>, i32, i32
  }
  %b:2 = scf.while (%sum = %a#0, %i = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %more = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%more) %sum, %i : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.subi %i, %m overflow<nsw> : i32
    scf.yield %next, %j : tensor<16x16xf32>, i32
  }
  %c:2 = scf.while (%sum = %b#0, %i = %n) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.subi %i, %c1 : i32
    %more = arith.cmpi ne, %j, %c0 : i32
    scf.condition(%more) %next, %j : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    scf.yield %sum, %i : tensor<16x16xf32>, i32
  }
  %d:2 = scf.while (%sum = %c#0, %i = %c0) : (tensor<16x16xf32>, i32) -> (tensor<16x16xf32>, i32) {
    %next = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %next, %j : tensor<16x16xf32>, i32
  } do {
  ^bb0(%sum: tensor<16x16xf32>, %i: i32):
    tile.store %i, %out : i32, !llvm.ptr
    scf.yield %sum, %i : tensor<16x16xf32>, i32
  }
  return %d#0 : tensor<16x16xf32>
}

// Loops that multiply nothing stay as the program has them.
// CHECK-LABEL: func.func @no_multiply
// CHECK: scf.while
func.func @no_multiply(%n: i32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.while (%left = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %left, %c0 : i32
    scf.condition(%more) %left : i32
  } do {
  ^bb0(%left: i32):
    tile.store %left, %out : i32, !llvm.ptr
    %less = arith.subi %left, %c1 overflow<nsw> : i32
    scf.yield %less : i32
  }
  return
}
