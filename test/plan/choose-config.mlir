// What tiling decides of a kernel, by its tiles: the best candidate of the table.
// RUN: %tessera-opt --tile-choose-config --split-input-file %s | FileCheck %s

// Element by element: a thread holds few elements of a tile.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: tile.config = #tile.config<warps = 4, operandBytes = 232448>
func.func @elementwise(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = tile.binary add %x, %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// As many warps as the program wants, as far as each thread has one to 64 elements.
// CHECK-LABEL: func.func @hinted
// CHECK-SAME: tile.config = #tile.config<warps = 8
func.func @hinted(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {tile.worker_warps = 8 : i64} {
  %y = tile.binary add %x, %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}
// CHECK-LABEL: func.func @few
// CHECK-SAME: tile.config = #tile.config<warps = 4
func.func @few(%x: tensor<8192xf32>) -> tensor<8192xf32> attributes {tile.worker_warps = 1 : i64} {
  %y = tile.binary add %x, %x : tensor<8192xf32>
  return %y : tensor<8192xf32>
}
// CHECK-LABEL: func.func @many
// CHECK-SAME: tile.config = #tile.config<warps = 2
func.func @many(%x: tensor<64xf32>) -> tensor<64xf32> attributes {tile.worker_warps = 32 : i64} {
  %y = tile.binary add %x, %x : tensor<64xf32>
  return %y : tensor<64xf32>
}

// An accumulator of 128 columns and 128 rows is for two warpgroups, however large the operands are.
// CHECK-LABEL: func.func @multiply
// CHECK-SAME: tile.config = #tile.config<warps = 8, operandBytes = 232448>
func.func @multiply(%x: tensor<128x256xf16>, %y: tensor<256x128xf16>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %d = tile.mma %x, %y, %c : tensor<128x256xf16>, tensor<256x128xf16>, tensor<128x128xf32>
  return %d : tensor<128x128xf32>
}

// Two sums and one of two products that an iteration has beside them: one warpgroup has no registers
// for three of them, as in the gradients of keys and values.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: tile.config = #tile.config<warps = 8
func.func @sums(%x: tensor<128x64xf16>, %y: tensor<64x64xf16>, %c: tensor<128x64xf32>, %n: i32) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %c, %b = %c) -> (tensor<128x64xf32>, tensor<128x64xf32>) : i32 {
    %s = tile.mma %x, %y, %c : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %p = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf16>
    %d = tile.mma %p, %y, %a : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %e = tile.mma %x, %y, %b : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    scf.yield %d, %e : tensor<128x64xf32>, tensor<128x64xf32>
  }
  return %r#0, %r#1 : tensor<128x64xf32>, tensor<128x64xf32>
}
// One sum beside a product is for one.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: tile.config = #tile.config<warps = 4
func.func @sum(%x: tensor<128x64xf16>, %y: tensor<64x64xf16>, %c: tensor<128x64xf32>, %n: i32) -> tensor<128x64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %c) -> (tensor<128x64xf32>) : i32 {
    %s = tile.mma %x, %y, %c : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %p = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf16>
    %d = tile.mma %p, %y, %a : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----
// What the policy forbids is in no candidate.
module attributes {tile.without = "rings,specialize", tile.target = #tile.target<"sm_80">} {
  // CHECK-LABEL: func.func @forbidden
  // CHECK-SAME: tile.config = #tile.config<warps = 1, kBytes = 0, stages = 1, producerWarp = false, operandBytes = 166912>
  func.func @forbidden(%x: i32) {
    return
  }
}
