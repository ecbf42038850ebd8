// What is computed of transposed operands is computed before the transposition.
// RUN: %tessera-opt --tile-late-transposes %s | FileCheck %s

// CHECK-LABEL: func.func @cast
// CHECK: %[[C:.*]] = tile.cast %arg0 : tensor<64x32xf32> -> tensor<64x32xtf32>
// CHECK-NOT: tile.cast
// CHECK: %[[T:.*]] = tile.permute %[[C]] [1, 0]
// CHECK: tile.mma %arg1, %[[T]], %arg2
func.func @cast(%y: tensor<64x32xf32>, %x: tensor<64x32xtf32>, %sum: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %t = tile.permute %y [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %c = tile.cast %t : tensor<32x64xf32> -> tensor<32x64xtf32>
  %d = tile.mma %x, %c, %sum : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// A chain of operations, with an element that is the same everywhere, and with another tile that is
// transposed alike.
// CHECK-LABEL: func.func @chain
// CHECK: %[[S:.*]] = tile.splat %arg4 : f32 -> tensor<64x32xf32>
// CHECK: %[[M:.*]] = tile.binary mul %arg0, %[[S]] : tensor<64x32xf32>
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK: %[[P:.*]] = tile.compare gt %[[M]], %[[Z]]
// CHECK: %[[W:.*]] = tile.select %[[P]], %[[M]], %arg3 : tensor<64x32xi1>, tensor<64x32xf32>
// CHECK: %[[C:.*]] = tile.cast %[[W]] : tensor<64x32xf32> -> tensor<64x32xbf16>
// CHECK: %[[T:.*]] = tile.permute %[[C]] [1, 0]
// CHECK: tile.mma %arg1, %[[T]], %arg2
func.func @chain(%y: tensor<64x32xf32>, %x: tensor<64x32xbf16>, %sum: tensor<64x64xf32>, %other: tensor<64x32xf32>, %scale: f32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %t = tile.permute %y [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %u = tile.permute %other [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %s = tile.splat %scale : f32 -> tensor<32x64xf32>
  %m = tile.binary mul %t, %s : tensor<32x64xf32>
  %p = tile.compare gt %m, %zero : tensor<32x64xf32> -> tensor<32x64xi1>
  %w = tile.select %p, %m, %u : tensor<32x64xi1>, tensor<32x64xf32>
  %c = tile.cast %w : tensor<32x64xf32> -> tensor<32x64xbf16>
  %d = tile.mma %x, %c, %sum : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// The other tile lies as it is.
// CHECK-LABEL: func.func @other_way
// CHECK: %[[T:.*]] = tile.permute %arg0 [1, 0]
// CHECK: tile.binary mul %[[T]], %arg3 : tensor<32x64xbf16>
func.func @other_way(%y: tensor<64x32xbf16>, %x: tensor<64x32xbf16>, %sum: tensor<64x64xf32>, %scales: tensor<32x64xbf16>) -> tensor<64x64xf32> {
  %t = tile.permute %y [1, 0] : tensor<64x32xbf16> -> tensor<32x64xbf16>
  %m = tile.binary mul %t, %scales : tensor<32x64xbf16>
  %d = tile.mma %x, %m, %sum : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// Somebody else sees the elements transposed; and a sum is no operand.
// CHECK-LABEL: func.func @seen
// CHECK: %[[T:.*]] = tile.permute %arg0 [1, 0]
// CHECK: tile.cast %[[T]] : tensor<32x64xf32> -> tensor<32x64xtf32>
func.func @seen(%y: tensor<64x32xf32>, %x: tensor<64x32xtf32>, %sum: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<32x64xtf32>) {
  %t = tile.permute %y [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %c = tile.cast %t : tensor<32x64xf32> -> tensor<32x64xtf32>
  %d = tile.mma %x, %c, %sum : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
  return %d, %c : tensor<64x64xf32>, tensor<32x64xtf32>
}

// CHECK-LABEL: func.func @sum
// CHECK: %[[T:.*]] = tile.permute %arg2 [1, 0]
// CHECK: tile.cast %[[T]]
func.func @sum(%x: tensor<64x32xbf16>, %y: tensor<32x16xbf16>, %sum: tensor<16x64xbf16>) -> tensor<64x16xf32> {
  %t = tile.permute %sum [1, 0] : tensor<16x64xbf16> -> tensor<64x16xbf16>
  %c = tile.cast %t : tensor<64x16xbf16> -> tensor<64x16xf32>
  %d = tile.mma %x, %y, %c : tensor<64x32xbf16>, tensor<32x16xbf16>, tensor<64x16xf32>
  return %d : tensor<64x16xf32>
}
