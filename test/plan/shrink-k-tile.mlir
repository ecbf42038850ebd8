// Iterations that multiply more than 128 bytes of K of an operand that threads transpose become iterations of 128.
// RUN: %tessera-opt --tile-shrink-k-tile %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @row_major
// CHECK: scf.for %[[J:[^ ]*]] = %c0{{[^ ]*}} to %c14
// CHECK: %[[KX:.*]] = arith.muli %[[J]], %c32
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}} starts(%c0{{[^ ]*}}, %[[KX]]) {{.*}} -> tensor<64x32xf32>
// CHECK: %[[XC:.*]] = tile.cast %[[X]] : tensor<64x32xf32> -> tensor<64x32xtf32>
// CHECK: %[[KY:.*]] = arith.muli %[[J]], %c32
// CHECK: %[[Y:.*]] = tile.view_load %arg1 {{.*}} starts(%[[KY]], %c0{{[^ ]*}}) {{.*}} -> tensor<32x128xf32>
// CHECK: %[[YC:.*]] = tile.cast %[[Y]] : tensor<32x128xf32> -> tensor<32x128xtf32>
// CHECK: tile.mma %[[XC]], %[[YC]]
func.func @row_major(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %xc = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
    %yc = tile.cast %y : tensor<64x128xf32> -> tensor<64x128xtf32>
    %d = tile.mma %xc, %yc, %sum : tensor<64x64xtf32>, tensor<64x128xtf32>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}

// Both operands along K are copied in parts.
// CHECK-LABEL: func.func @along_k
// CHECK: scf.for {{.*}} to %c7
// CHECK: -> tensor<64x64xf32>
func.func @along_k(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %xc = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xf32>
    %yc = tile.cast %y : tensor<128x64xf32> -> tensor<128x64xtf32>
    %t = tile.permute %yc [1, 0] : tensor<128x64xtf32> -> tensor<64x128xtf32>
    %d = tile.mma %xc, %t, %sum : tensor<64x64xtf32>, tensor<64x128xtf32>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}

// The steps to an end have room.
// CHECK-LABEL: func.func @to_an_end
// CHECK: %[[N:.*]] = tile.binary ceildiv %arg2, %c64
// CHECK: %[[TURNS:.*]] = arith.muli %[[N]], %c2
// CHECK: scf.for {{.*}} to %[[TURNS]] step
// CHECK: -> tensor<64x32xf32>
func.func @to_an_end(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %steps = tile.binary ceildiv %n, %c64 : i32
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %xc = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xtf32>
    %y = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
    %yc = tile.cast %y : tensor<64x128xf32> -> tensor<64x128xtf32>
    %d = tile.mma %xc, %yc, %sum : tensor<64x64xtf32>, tensor<64x128xtf32>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}
// Upwards or downwards.
// The number of iterations might wrap round; the boxes do not lie side by side.
// CHECK-LABEL: func.func @many
// CHECK: scf.for {{.*}} to %arg2
// CHECK: -> tensor<64x64xf32>
func.func @many(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %xc = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xtf32>
    %y = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
    %yc = tile.cast %y : tensor<64x128xf32> -> tensor<64x128xtf32>
    %d = tile.mma %xc, %yc, %sum : tensor<64x64xtf32>, tensor<64x128xtf32>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}
// Upwards or downwards.
// CHECK-LABEL: func.func @many_below
// CHECK: scf.for {{.*}} to %{{[0-9]+}} step
// CHECK: -> tensor<64x64xf32>
func.func @many_below(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c7 = arith.constant 7 : i32
  %least = arith.minsi %n, %c7 : i32
  %r = scf.for %i = %c0 to %least step %c1 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %xc = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xtf32>
    %y = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
    %yc = tile.cast %y : tensor<64x128xf32> -> tensor<64x128xtf32>
    %d = tile.mma %xc, %yc, %sum : tensor<64x64xtf32>, tensor<64x128xtf32>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @apart
// CHECK: scf.for {{.*}} to %c7
// CHECK: -> tensor<64x64xf32>
func.func @apart(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c128 = arith.constant 128 : i32
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %k = arith.muli %i, %c128 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf32>
    %xc = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf32>
    %yc = tile.cast %y : tensor<64x128xf32> -> tensor<64x128xtf32>
    %d = tile.mma %xc, %yc, %sum : tensor<64x64xtf32>, tensor<64x128xtf32>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}
// An accumulator that will be split.
// CHECK-LABEL: func.func @large
// CHECK: scf.for {{.*}} to %c14
// CHECK: tile.mma {{.*}} tensor<256x32xtf32>, tensor<32x256xtf32>, tensor<256x256xf32>
func.func @large(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %init: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xf32>
    %xc = tile.cast %x : tensor<256x64xf32> -> tensor<256x64xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xf32>
    %yc = tile.cast %y : tensor<64x256xf32> -> tensor<64x256xtf32>
    %d = tile.mma %xc, %yc, %sum : tensor<256x64xtf32>, tensor<64x256xtf32>, tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  return %r : tensor<256x256xf32>
}
}
