// A product that a loop adds to an accumulator it carries is a multiply into it.
// RUN: %tessera-opt --tile-accumulate-products %s | FileCheck %s

// CHECK-LABEL: func.func @added
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: %[[NEXT:.*]] = tile.mma %arg0, %arg1, %[[SUM]] :
// CHECK-NEXT: scf.yield %[[NEXT]]
func.func @added(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero : f32 -> tensor<64x64xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x64xf32>) : i32 {
    %p = tile.mma %a, %b, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %next = tile.binary add %sum, %p : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %all : tensor<64x64xf32>
}

// The sum is rescaled first; two products are added one after the other.
// CHECK-LABEL: func.func @rescaled
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: %[[SCALED:.*]] = tile.binary mul {{.*}}%[[SUM]]
// CHECK-NEXT: %[[FIRST:.*]] = tile.mma %arg0, %arg1, %[[SCALED]] :
// CHECK-NEXT: %[[NEXT:.*]] = tile.mma %arg1, %arg0, %[[FIRST]] :
// CHECK-NEXT: scf.yield %[[NEXT]]
func.func @rescaled(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %x: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero : f32 -> tensor<64x64xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x64xf32>) : i32 {
    %p = tile.mma %a, %b, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %q = tile.mma %b, %a, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %first = tile.fma %x, %sum, %p : tensor<64x64xf32>
    %next = tile.binary add %q, %first : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %all : tensor<64x64xf32>
}

// What is added to is no sum of the loop, the product has another use, it is of fp8, or another rounding is asked for.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: tile.binary add
func.func @stays(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %x: tensor<64x64xf32>, %y: tensor<64x64xf8E4M3FN>, %n: i32)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero : f32 -> tensor<64x64xf32>
  %all:5 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %none, %s = %none, %t = %none, %u = %none, %v = %none)
      -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %p = tile.mma %a, %b, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %residual = tile.binary add %x, %p : tensor<64x64xf32>
    %q = tile.mma %b, %a, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %used = tile.binary add %s, %q : tensor<64x64xf32>
    %bytes = tile.mma %y, %y, %none : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
    %own = tile.binary add %u, %bytes : tensor<64x64xf32>
    %w = tile.mma %a, %a, %none : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %rounded = tile.binary add %v, %w {rounding = #tile<rounding toward_zero>} : tensor<64x64xf32>
    scf.yield %residual, %used, %q, %own, %rounded : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %all#0, %all#1, %all#2, %all#3, %all#4 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
