// A kernel with multiplies says how many blocks should fit an SM: as many as registers and shared
// memory have room for, up to four.
// RUN: %tessera-opt --tile-assign-layouts --tile-lower-to-shared --tile-plan-occupancy %s | FileCheck %s

// The accumulator takes 32 registers of a thread, the multiply about as many again.
// CHECK-LABEL: func.func @small
// CHECK-SAME: tile.min_blocks = 4
func.func @small(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A block of 512 threads that multiplies nothing leaves room for a second one where its tiles do.
// CHECK-LABEL: func.func @large_rows
// CHECK-SAME: tile.min_blocks = 2
func.func @large_rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<4x4096xf32>
  tile.view_store %x, %q extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<4x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
// One that does not fit beside a second one says that one block is enough.
// CHECK-LABEL: func.func @too_large
// CHECK-SAME: tile.min_blocks = 1
func.func @too_large(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x4096xf32>
  tile.view_store %x, %q extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<8x4096xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What goes element by element from reads to a store by pointers is never there as a tile, and an
// approximate division is an instruction: two tiles of 16 registers are all that is kept.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: tile.min_blocks = 2
// CHECK-LABEL: func.func @divided
// CHECK-SAME: tile.min_blocks = 1
func.func @elements(%p: !llvm.ptr, %q: !llvm.ptr) {
  %i = tile.iota : tensor<16384xi32>
  %from = tile.splat %p : !llvm.ptr -> tensor<16384x!llvm.ptr>
  %to = tile.splat %q : !llvm.ptr -> tensor<16384x!llvm.ptr>
  %sources = tile.offset %from, %i of bf16 : tensor<16384x!llvm.ptr>, tensor<16384xi32>
  %places = tile.offset %to, %i of bf16 : tensor<16384x!llvm.ptr>, tensor<16384xi32>
  %a = tile.load %sources : tensor<16384x!llvm.ptr> -> tensor<16384xbf16>
  %x = tile.cast %a : tensor<16384xbf16> -> tensor<16384xf32>
  %e = tile.unary exp %x : tensor<16384xf32>
  %d = tile.binary div %x, %e {rounding = #tile<rounding approximate>} : tensor<16384xf32>
  %r = tile.cast %d : tensor<16384xf32> -> tensor<16384xbf16>
  tile.store %r, %places : tensor<16384xbf16>, tensor<16384x!llvm.ptr>
  return
}
func.func @divided(%p: !llvm.ptr, %q: !llvm.ptr) {
  %i = tile.iota : tensor<16384xi32>
  %from = tile.splat %p : !llvm.ptr -> tensor<16384x!llvm.ptr>
  %to = tile.splat %q : !llvm.ptr -> tensor<16384x!llvm.ptr>
  %sources = tile.offset %from, %i of bf16 : tensor<16384x!llvm.ptr>, tensor<16384xi32>
  %places = tile.offset %to, %i of bf16 : tensor<16384x!llvm.ptr>, tensor<16384xi32>
  %a = tile.load %sources : tensor<16384x!llvm.ptr> -> tensor<16384xbf16>
  %x = tile.cast %a : tensor<16384xbf16> -> tensor<16384xf32>
  %e = tile.unary exp %x : tensor<16384xf32>
  %d = tile.binary div %x, %e : tensor<16384xf32>
  %r = tile.cast %d : tensor<16384xf32> -> tensor<16384xbf16>
  tile.store %r, %places : tensor<16384xbf16>, tensor<16384x!llvm.ptr>
  return
}

// A kernel that is planned once more, since ptxas spills, leaves its threads all registers.
// CHECK-LABEL: func.func @unbounded
// CHECK-SAME: tile.min_blocks = 1
func.func @unbounded(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) attributes {tile.without = "shared_sm"} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// So does what is live meanwhile: 128 registers more.
// CHECK-LABEL: func.func @live
// CHECK-SAME: tile.min_blocks = 2
func.func @live(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What a loop starts from dies there: it holds the registers of what the loop carries.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: tile.min_blocks = 3
func.func @carried(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x128xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %y = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c1, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %z = scf.for %i = %c1 to %n step %c1 iter_args(%v = %x) -> (tensor<64x128xf32>) : i32 {
    %d = tile.shared_mma m16n8k16 %a, %b, %v : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x128xf16, 0, 0, 0>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %s = tile.binary add %z, %y : tensor<64x128xf32>
  tile.view_store %s, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Indices and masks are computed where they are read.
// CHECK-LABEL: func.func @indices
// CHECK-SAME: tile.min_blocks = 4
func.func @indices(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %i = tile.iota : tensor<64x64xi32>
  %m = tile.splat %n : i32 -> tensor<64x64xi32>
  %j = tile.binary add %i, %m : tensor<64x64xi32>
  %k = tile.binary mul %j, %m : tensor<64x64xi32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %less = tile.compare lt %j, %k : tensor<64x64xi32> -> tensor<64x64xi1>
  %e = tile.select %less, %d, %zero : tensor<64x64xi1>, tensor<64x64xf32>
  tile.view_store %e, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What a branch reads has its end there, if nobody reads it behind: 64 registers beside the
// accumulator's 32, not 128.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: tile.min_blocks = 4
func.func @branch(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32, %q: i1) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %r = scf.if %q -> (tensor<64x128xf32>) {
    %s = tile.binary add %x, %x : tensor<64x128xf32>
    scf.yield %s : tensor<64x128xf32>
  } else {
    scf.yield %x : tensor<64x128xf32>
  }
  tile.view_store %r, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x128xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A run of element-wise operations goes element after element: what is between is no tile.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: tile.min_blocks = 4
func.func @chain(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %s = tile.binary mul %x, %x : tensor<64x128xf32>
  %t = tile.binary mul %s, %s : tensor<64x128xf32>
  %u = tile.binary add %t, %x : tensor<64x128xf32>
  tile.view_store %u, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x128xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A division tests all its operands before the first result is there.
// CHECK-LABEL: func.func @division
// CHECK-SAME: tile.min_blocks = 2
func.func @division(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %s = tile.binary div %x, %x : tensor<64x128xf32>
  %u = tile.binary add %s, %x : tensor<64x128xf32>
  tile.view_store %u, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x128xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What is kept over a multiply is a tile.
// CHECK-LABEL: func.func @kept
// CHECK-SAME: tile.min_blocks = 2
func.func @kept(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %s = tile.binary mul %x, %x : tensor<64x128xf32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %u = tile.binary add %s, %x : tensor<64x128xf32>
  tile.view_store %u, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x128xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Registers are given out in eights: 169 are 176, of which three blocks have too many.
// CHECK-LABEL: func.func @in_eights
// CHECK-SAME: tile.min_blocks = 2
func.func @in_eights(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
  %y = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
  %z = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
  %w = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x128xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %z, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf16> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %w, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<32x64xf16> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What takes more than 16 steps to compute is kept: 128 registers beside the accumulator's.
// CHECK-LABEL: func.func @squares
// CHECK-SAME: tile.min_blocks = 2
func.func @squares(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x0 = tile.iota : tensor<128x128xi32>
  %x1 = tile.binary mul %x0, %x0 : tensor<128x128xi32>
  %x2 = tile.binary mul %x1, %x1 : tensor<128x128xi32>
  %x3 = tile.binary mul %x2, %x2 : tensor<128x128xi32>
  %x4 = tile.binary mul %x3, %x3 : tensor<128x128xi32>
  %x5 = tile.binary mul %x4, %x4 : tensor<128x128xi32>
  %x6 = tile.binary mul %x5, %x5 : tensor<128x128xi32>
  %x7 = tile.binary mul %x6, %x6 : tensor<128x128xi32>
  %x8 = tile.binary mul %x7, %x7 : tensor<128x128xi32>
  %x9 = tile.binary mul %x8, %x8 : tensor<128x128xi32>
  %x10 = tile.binary mul %x9, %x9 : tensor<128x128xi32>
  %x11 = tile.binary mul %x10, %x10 : tensor<128x128xi32>
  %x12 = tile.binary mul %x11, %x11 : tensor<128x128xi32>
  %x13 = tile.binary mul %x12, %x12 : tensor<128x128xi32>
  %x14 = tile.binary mul %x13, %x13 : tensor<128x128xi32>
  %x15 = tile.binary mul %x14, %x14 : tensor<128x128xi32>
  %x16 = tile.binary mul %x15, %x15 : tensor<128x128xi32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %x16, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x128xi32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Shared memory of 64 KB leaves room for three blocks.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: tile.min_blocks = 3
func.func @shared(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %ring = tile.shared_alloc : !tile.shared<256x128xf16, 0, 0, 0>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Half of the registers are the accumulator's: two blocks still hide each other's waits. More are
// not to be had, and one needs no wish.
// CHECK-LABEL: func.func @large
// CHECK-SAME: tile.min_blocks = 2
func.func @large(%a: !tile.shared<128x16xf16, 0, 0, 0>, %b: !tile.shared<16x128xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<128x16xf16, 0, 0, 0>, !tile.shared<16x128xf16, 0, 0, 0>, tensor<128x128xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
// CHECK-LABEL: func.func @larger
// CHECK-NOT: tile.min_blocks
// CHECK: tile.shared_mma
func.func @larger(%a: !tile.shared<256x16xf16, 0, 0, 0>, %b: !tile.shared<16x128xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<256x16xf16, 0, 0, 0>, !tile.shared<16x128xf16, 0, 0, 0>, tensor<256x128xf32>
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<256x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Iterations that are left over by the pass unroll-along-k read their operands through registers.
// CHECK-LABEL: func.func @iterations
// CHECK-SAME: tile.min_blocks = 4
// CHECK-LABEL: func.func @few_iterations
// CHECK-SAME: tile.min_blocks = 3
func.func @iterations(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xf32>
  %d = scf.for %i = %c1 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) : i32 {
    %sum = tile.shared_mma m16n8k16 %a, %b, %c : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @few_iterations(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xf32>
  %d = scf.for %i = %c1 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) : i32 {
    %sum = tile.shared_mma m16n8k16 %a, %b, %c : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  } {tile.few_iterations}
  tile.view_store %d, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// The producer warp has what the consumers do not need. Chains may need 240 of its 504.
// CHECK-LABEL: func.func @few_in_consumers
// CHECK-SAME: tile.warp_specialized = 232
// CHECK: tile.producer_warp registers 40
func.func @few_in_consumers(%p: !llvm.ptr, %n: i32) attributes {tile.warp_specialized = 240 : i64} {
  tile.producer_warp registers 24 {
  }
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf32>
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
// CHECK-LABEL: func.func @many_in_consumers
// CHECK-SAME: tile.warp_specialized = 240
// CHECK: tile.producer_warp registers 24
func.func @many_in_consumers(%p: !llvm.ptr, %n: i32) attributes {tile.config = #tile.config<warps = 8>, tile.warp_specialized = 240 : i64} {
  tile.producer_warp registers 24 {
  }
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x256xf32>
  tile.view_store %x, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
