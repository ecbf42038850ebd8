// What an operation makes of numbers is a number; an operand that is none excuses it.
// RUN: %tessera-opt --tile-check-numbers %s | FileCheck %s
// RUN: %tessera-opt --tile-check-numbers="nan=false inf=true" %s | FileCheck %s --check-prefix=INF

// CHECK-LABEL: func.func @binary
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>
func.func @binary(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK: %[[Z:.*]] = tile.binary div %[[X]], %[[Y]]
  // CHECK: %[[MADE:.*]] = tile.classify isnan %[[Z]]
  // CHECK: %[[NUMBER:.*]] = tile.binary bit_xor %[[MADE]],
  // CHECK: %[[A:.*]] = tile.classify isnan %[[X]]
  // CHECK: %[[B:.*]] = tile.classify isnan %[[Y]]
  // CHECK: %[[EXCUSE:.*]] = tile.binary bit_or %[[A]], %[[B]]
  // CHECK: %[[HOLDS:.*]] = tile.binary bit_or %[[NUMBER]], %[[EXCUSE]]
  // CHECK: tile.check %[[HOLDS]], "the div makes a value a NaN from operands without NaN"()
  // INF: tile.classify isinf
  // INF: an infinity from operands without infinities
  %z = tile.binary div %x, %y : tensor<64xf32>
  return %z : tensor<64xf32>
}

// Elements that a reduction has read are reduced beside it.
// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<8x64xf32>) -> tensor<8x1xf32> {
  // CHECK: tile.reduce sum
  // CHECK: %[[WRONG:.*]] = tile.cast %{{.*}} : tensor<8x64xi1> -> tensor<8x64xi32>
  // CHECK: tile.reduce bit_or %[[WRONG]] along 1
  // CHECK: tile.check
  %s = tile.reduce sum %x along 1 : tensor<8x64xf32> -> tensor<8x1xf32>
  return %s : tensor<8x1xf32>
}

// Integers are only divided by 0; a constant is not 0.
// CHECK-LABEL: func.func @divide
func.func @divide(%x: i32, %y: i32) -> i32 {
  // CHECK: tile.check %{{.*}}, "an integer division by 0 computes a value"()
  // CHECK-NEXT: arith.divsi
  // CHECK-NOT: tile.check
  // CHECK: return
  %three = arith.constant 3 : i32
  %q = arith.divsi %x, %y : i32
  %r = arith.remsi %q, %three : i32
  return %r : i32
}

// What moves elements makes none.
// CHECK-LABEL: func.func @move
// CHECK-NOT: tile.check
func.func @move(%x: f32, %m: tensor<64xi1>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %t = tile.splat %x : f32 -> tensor<64xf32>
  %z = tile.select %m, %t, %y : tensor<64xi1>, tensor<64xf32>
  return %z : tensor<64xf32>
}

// Of a fold the results are checked; what it combines and what it reads from outside excuse them.
// CHECK-LABEL: func.func @fold
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[I:.*]]: tensor<64xi32>, %[[K:.*]]: f32
func.func @fold(%x: tensor<64xf32>, %i: tensor<64xi32>, %k: f32) -> (tensor<1xf32>, tensor<1xi32>) {
  // CHECK: %[[R:.*]]:2 = tile.fold
  // CHECK: tile.yield
  // CHECK: tile.classify isnan %[[R]]#0
  // CHECK: %[[A:.*]] = tile.classify isnan %[[X]]
  // CHECK: tile.reduce bit_or
  // CHECK: %[[B:.*]] = tile.classify isnan %[[K]]
  // CHECK: tile.splat %[[B]] : i1 -> tensor<1xi1>
  // CHECK: tile.check %{{.*}}, "the reduction makes a value a NaN from operands without NaN"()
  // CHECK-NOT: tile.check
  %r:2 = tile.fold %x, %i along 0 : (tensor<64xf32>, tensor<64xi32>) -> (tensor<1xf32>, tensor<1xi32>) {
  ^bb0(%e: f32, %j: i32, %a: f32, %n: i32):
    %1 = arith.divf %e, %a : f32
    %2 = arith.addf %1, %k : f32
    %3 = arith.addi %j, %n : i32
    tile.yield %2, %3 : f32, i32
  }
  return %r#0, %r#1 : tensor<1xf32>, tensor<1xi32>
}

// An element of a scan is excused by those before it.
// CHECK-LABEL: func.func @scan_by_function
func.func @scan_by_function(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK: tile.scan sum %{{.*}} along 0 {backward} : tensor<64xi32>
  // CHECK: tile.check %{{.*}}, "the scan makes
  %r = tile.fold scan %x along 0 {backward} : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%e: f32, %a: f32):
    %1 = arith.subf %e, %a : f32
    tile.yield %1 : f32
  }
  return %r : tensor<64xf32>
}

// A constant that is NaN, or infinite, is none of the fold's making.
// CHECK-LABEL: func.func @fold_with_infinity
// CHECK-NOT: tile.check
func.func @fold_with_infinity(%x: tensor<64xf32>) -> tensor<1xf32> {
  %infinity = arith.constant 0x7F800000 : f32
  %r = tile.fold %x along 0 : (tensor<64xf32>) -> tensor<1xf32> {
  ^bb0(%e: f32, %a: f32):
    %c = arith.cmpf olt, %e, %a : f32
    %1 = arith.select %c, %e, %infinity : f32
    tile.yield %1 : f32
  }
  return %r : tensor<1xf32>
}
