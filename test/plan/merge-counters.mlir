// Products of a counter that a loop of multiplies carries are computed from the loop's own.
// RUN: %tessera-opt --tile-merge-counters %s | FileCheck %s

// The number of a tile, from where the loop begins.
// CHECK-LABEL: func.func @tiles
// CHECK: %[[LO:.*]] = arith.muli %arg0, %c64
// CHECK: scf.for %[[I:.*]] = %[[LO]] to %{{.*}} step %c32{{.*}} iter_args(%[[SUM:.*]] = %arg2) ->
// CHECK-NOT: arith.muli
// CHECK: tile.splat %[[I]]
func.func @tiles(%block: i32, %hi: i32, %init: tensor<16x16xf32>, %x: tensor<16x16xf16>, %p: tensor<16x!llvm.ptr>) -> tensor<16x16xf32> {
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %lo = arith.muli %block, %c64 : i32
  %first = tile.binary floordiv %lo, %c32 : i32
  %r:2 = scf.for %i = %lo to %hi step %c32 iter_args(%sum = %init, %n = %first) -> (tensor<16x16xf32>, i32) : i32 {
    %at = arith.muli %n, %c32 : i32
    %tile = tile.splat %at : i32 -> tensor<16xi32>
    tile.store %tile, %p : tensor<16xi32>, tensor<16x!llvm.ptr>
    %more = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %next = arith.addi %n, %c1 : i32
    scf.yield %more, %next : tensor<16x16xf32>, i32
  }
  return %r#0 : tensor<16x16xf32>
}

// Twice the product; the folded quotient of the beginning; the counter is used elsewhere, too.
// CHECK-LABEL: func.func @others
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c32{{.*}} iter_args(%{{.*}} = %arg2, %[[N:.*]] = %{{.*}}) ->
// CHECK: %[[TWICE:.*]] = arith.muli %[[I]], %c2
// CHECK: %[[AT:.*]] = arith.addi %[[TWICE]], %[[N]]
// CHECK: tile.splat %[[AT]]
func.func @others(%block: i32, %hi: i32, %init: tensor<16x16xf32>, %x: tensor<16x16xf16>, %p: tensor<16x!llvm.ptr>) -> (tensor<16x16xf32>, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %lo = arith.muli %block, %c64 : i32
  %first = arith.muli %block, %c2 : i32
  %r:2 = scf.for %i = %lo to %hi step %c32 iter_args(%sum = %init, %n = %first) -> (tensor<16x16xf32>, i32) : i32 {
    %twice = arith.muli %n, %c64 : i32
    %at = arith.addi %twice, %n : i32
    %tile = tile.splat %at : i32 -> tensor<16xi32>
    tile.store %tile, %p : tensor<16xi32>, tensor<16x!llvm.ptr>
    %more = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %next = arith.addi %n, %c1 : i32
    scf.yield %more, %next : tensor<16x16xf32>, i32
  }
  return %r#0, %r#1 : tensor<16x16xf32>, i32
}

// The beginning is not a multiple of 32: the quotient is rounded.
// CHECK-LABEL: func.func @rounded
// CHECK: iter_args(%{{.*}} = %arg2, %[[N:.*]] = %{{.*}})
// CHECK: arith.muli %[[N]], %c32
func.func @rounded(%lo: i32, %hi: i32, %init: tensor<16x16xf32>, %x: tensor<16x16xf16>, %p: tensor<16x!llvm.ptr>) -> tensor<16x16xf32> {
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %first = tile.binary floordiv %lo, %c32 : i32
  %r:2 = scf.for %i = %lo to %hi step %c32 iter_args(%sum = %init, %n = %first) -> (tensor<16x16xf32>, i32) : i32 {
    %at = arith.muli %n, %c32 : i32
    %tile = tile.splat %at : i32 -> tensor<16xi32>
    tile.store %tile, %p : tensor<16xi32>, tensor<16x!llvm.ptr>
    %more = tile.mma %x, %x, %sum : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %next = arith.addi %n, %c1 : i32
    scf.yield %more, %next : tensor<16x16xf32>, i32
  }
  return %r#0 : tensor<16x16xf32>
}
