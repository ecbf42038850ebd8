// What tiling decides of a kernel, by its tiles: the best candidate of the table.
// RUN: %tessera-opt --tile-choose-config --split-input-file %s | FileCheck %s

// Element by element: a thread holds few elements of a tile.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: tile.config = #tile.config<warps = 4, operandBytes = 232448>
func.func @elementwise(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = tile.binary add %x, %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// A reduction: a thread holds 32 elements, so that its share of the reduction is small; a block of up
// to 16384 has 8 warps, so that an SM has several.
// CHECK-LABEL: func.func @row
// CHECK-SAME: tile.config = #tile.config<warps = 1, operandBytes = 232448>
func.func @row(%x: tensor<1x1024xf32>) -> tensor<1x1xf32> {
  %z = tile.binary add %x, %x : tensor<1x1024xf32>
  %y = tile.reduce sum %z along 1 : tensor<1x1024xf32> -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}
// CHECK-LABEL: func.func @long_row
// CHECK-SAME: tile.config = #tile.config<warps = 8, operandBytes = 232448>
func.func @long_row(%x: tensor<1x16384xf32>) -> tensor<1x1xf32> {
  %z = tile.binary add %x, %x : tensor<1x16384xf32>
  %y = tile.reduce sum %z along 1 : tensor<1x16384xf32> -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}
// CHECK-LABEL: func.func @longest_row
// CHECK-SAME: tile.config = #tile.config<warps = 16, operandBytes = 232448>
func.func @longest_row(%x: tensor<1x32768xf32>) -> tensor<1x1xf32> {
  %z = tile.binary add %x, %x : tensor<1x32768xf32>
  %y = tile.reduce sum %z along 1 : tensor<1x32768xf32> -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// Weights that are read behind the reduction, a few elements at a time; those that are reduced leave
// no registers for as many elements of a thread.
// CHECK-LABEL: func.func @weights_behind
// CHECK-SAME: tile.config = #tile.config<warps = 8, operandBytes = 232448>
func.func @weights_behind(%p: !llvm.ptr, %w: !llvm.ptr, %b: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x16384xf32>
  %g = tile.view_load %w extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x16384xf32>
  %h = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x16384xf32>
  %r = tile.reduce sum %x along 1 : tensor<1x16384xf32> -> tensor<1x1xf32>
  %s = tile.broadcast %r : tensor<1x1xf32> -> tensor<1x16384xf32>
  %a = tile.binary mul %x, %s : tensor<1x16384xf32>
  %c = tile.binary mul %a, %g : tensor<1x16384xf32>
  %y = tile.binary add %c, %h : tensor<1x16384xf32>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x16384xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
// CHECK-LABEL: func.func @weights_in_front
// CHECK-SAME: tile.config = #tile.config<warps = 16, operandBytes = 232448>
func.func @weights_in_front(%p: !llvm.ptr, %w: !llvm.ptr, %b: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x16384xf32>
  %g = tile.view_load %w extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x16384xf32>
  %h = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x16384xf32>
  %a = tile.binary mul %x, %g : tensor<1x16384xf32>
  %c = tile.binary add %a, %h : tensor<1x16384xf32>
  %r = tile.reduce sum %c along 1 : tensor<1x16384xf32> -> tensor<1x1xf32>
  %s = tile.broadcast %r : tensor<1x1xf32> -> tensor<1x16384xf32>
  %y = tile.binary mul %c, %s : tensor<1x16384xf32>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x16384xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Three sums that a loop carries leave no registers for as many elements.
// CHECK-LABEL: func.func @rows_in_turn
// CHECK-SAME: tile.config = #tile.config<warps = 8, operandBytes = 232448>
func.func @rows_in_turn(%x: tensor<1x4096xf32>, %n: i32) -> (tensor<1x1xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>) : i32 {
    %d = tile.binary add %a, %b : tensor<1x4096xf32>
    scf.yield %b, %c, %d : tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>
  }
  %y = tile.reduce sum %r#0 along 1 : tensor<1x4096xf32> -> tensor<1x1xf32>
  return %y, %r#0, %r#1, %r#2 : tensor<1x1xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>
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
// Attention, one sum beside a product, has a warpgroup for each 64 rows: what threads compute between
// its multiplies takes longer than they.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: tile.config = #tile.config<warps = 8
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

// With 64 rows one, and one where more is multiplied, as for gradients.
// CHECK-LABEL: func.func @attention_of_64
// CHECK-SAME: tile.config = #tile.config<warps = 4
func.func @attention_of_64(%q: tensor<64x64xf16>, %k: tensor<64x64xf16>, %o: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %o) -> (tensor<64x64xf32>) : i32 {
    %s = tile.mma %q, %k, %zero : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %p = tile.cast %s : tensor<64x64xf32> -> tensor<64x64xf16>
    %t = tile.mma %p, %k, %sum : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @gradient
// CHECK-SAME: tile.config = #tile.config<warps = 4
func.func @gradient(%q: tensor<128x64xf16>, %k: tensor<64x64xf16>, %o: tensor<128x64xf32>, %n: i32) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %o) -> (tensor<128x64xf32>) : i32 {
    %s = tile.mma %q, %k, %zero : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %d = tile.mma %q, %k, %zero : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %m = tile.binary mul %s, %d : tensor<128x64xf32>
    %p = tile.cast %m : tensor<128x64xf32> -> tensor<128x64xf16>
    %t = tile.mma %p, %k, %sum : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    scf.yield %t : tensor<128x64xf32>
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
