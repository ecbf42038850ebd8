// Powers that are products, and arithmetic in double whose result a float has exactly.
// RUN: %tessera-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @square_in_double
// CHECK: %[[Y:.*]] = tile.binary mul %arg0, %arg0 : tensor<64xf32>
// CHECK-NEXT: return %[[Y]]
func.func @square_in_double(%x: tensor<64xf32>) -> tensor<64xf32> {
  %two = arith.constant 2 : i32
  %twos = tile.splat %two : i32 -> tensor<64xi32>
  %n = tile.cast %twos : tensor<64xi32> -> tensor<64xf64>
  %wide = tile.cast %x : tensor<64xf32> -> tensor<64xf64>
  %power = tile.binary pow %wide, %n : tensor<64xf64>
  %y = tile.cast %power : tensor<64xf64> -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// CHECK-LABEL: @cube_and_fourth
// CHECK: %[[A:.*]] = tile.binary mul %arg0, %arg0 : tensor<64xf32>
// CHECK: %[[B:.*]] = tile.binary mul %[[A]], %arg0 : tensor<64xf32>
// CHECK: %[[D:.*]] = tile.binary mul %arg0, %arg0 : tensor<64xf32>
// CHECK: %[[C:.*]] = tile.binary mul %[[D]], %[[D]] : tensor<64xf32>
// CHECK: return %[[B]], %[[C]]
func.func @cube_and_fourth(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %three = arith.constant dense<3.0> : tensor<64xf32>
  %four = arith.constant dense<4.0> : tensor<64xf32>
  %y = tile.binary pow %x, %three : tensor<64xf32>
  %z = tile.binary pow %x, %four : tensor<64xf32>
  return %y, %z : tensor<64xf32>, tensor<64xf32>
}

// Smaller floats are rounded once: a square is, a cube would not be.
// CHECK-LABEL: @halves
// CHECK: tile.binary mul %arg0, %arg0 : tensor<64xf16>
// CHECK: tile.binary pow %arg0, %{{.*}} : tensor<64xf16>
func.func @halves(%x: tensor<64xf16>) -> (tensor<64xf16>, tensor<64xf16>) {
  %two = arith.constant dense<2.0> : tensor<64xf16>
  %three = arith.constant dense<3.0> : tensor<64xf16>
  %y = tile.binary pow %x, %two : tensor<64xf16>
  %z = tile.binary pow %x, %three : tensor<64xf16>
  return %y, %z : tensor<64xf16>, tensor<64xf16>
}

// Other exponents, one that a truth value has become, a flushed operation.
// CHECK-LABEL: @powers
// CHECK-COUNT-4: tile.binary pow
func.func @powers(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %five = arith.constant dense<5.0> : tensor<64xf32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %true = tile.cast %two : tensor<64xi32> -> tensor<64xi1>
  %one = tile.cast %true {fromUnsigned} : tensor<64xi1> -> tensor<64xf32>
  %twos = arith.constant dense<2.0> : tensor<64xf32>
  %a = tile.binary pow %x, %half : tensor<64xf32>
  %b = tile.binary pow %x, %five : tensor<64xf32>
  %c = tile.binary pow %x, %one : tensor<64xf32>
  %d = tile.binary pow %x, %twos {flush} : tensor<64xf32>
  return %a, %b, %c, %d : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: @narrow
// CHECK-DAG: tile.binary add %arg0, %arg1 : tensor<64xf32>
// CHECK-DAG: tile.binary div %arg0, %arg1 : tensor<64xf32>
// CHECK-NOT: f64
// CHECK: return
func.func @narrow(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = tile.cast %x : tensor<64xf32> -> tensor<64xf64>
  %b = tile.cast %y : tensor<64xf32> -> tensor<64xf64>
  %sum = tile.binary add %a, %b : tensor<64xf64>
  %quotient = tile.binary div %a, %b : tensor<64xf64>
  %c = tile.cast %sum : tensor<64xf64> -> tensor<64xf32>
  %d = tile.cast %quotient : tensor<64xf64> -> tensor<64xf32>
  return %c, %d : tensor<64xf32>, tensor<64xf32>
}

// Rounded otherwise, or with an operand that was no float: two roundings may differ from one.
// CHECK-LABEL: @wide
// CHECK-COUNT-2: tile.binary add {{.*}} : tensor<64xf64>
func.func @wide(%x: tensor<64xf32>, %y: tensor<64xf64>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = tile.cast %x : tensor<64xf32> -> tensor<64xf64>
  %s = tile.binary add %a, %a : tensor<64xf64>
  %t = tile.binary add %a, %y : tensor<64xf64>
  %c = tile.cast %s {rounding = #tile<rounding toward_zero>} : tensor<64xf64> -> tensor<64xf32>
  %d = tile.cast %t : tensor<64xf64> -> tensor<64xf32>
  return %c, %d : tensor<64xf32>, tensor<64xf32>
}
