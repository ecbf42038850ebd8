// What does not fit a block's shared memory is planned again with less for speed.
// RUN: %tessera-opt --tile-fit-shared-memory --split-input-file --verify-diagnostics %s | FileCheck %s

// A ring of three stages of 64 KiB and the product on its way to rows, 64 KiB at once: 256 of 227 KiB. Two stages are left.
// CHECK-LABEL: func.func @fewer_stages
// CHECK-SAME: #tile.config<warps = {{[0-9]+}}, kBytes = 0, stages = 2,
// CHECK: tile.shared_alloc stages 2
// CHECK: tile.copy_async
func.func @fewer_stages(%p: !llvm.ptr, %n: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %c = scf.for %i = %c0 to %n step %c128 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.addi %i, %c0 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
    %y = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
    %product = tile.mma %x, %y, %sum : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
    %transposed = tile.permute %product [1, 0] : tensor<128x128xf32> -> tensor<128x128xf32>
    %next = tile.binary add %product, %transposed : tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  tile.view_store %c, %out extents(%n, %n) strides(%n, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
// Parts at run-time positions are not taken in parts: this is the program's.
// expected-error @+1 {{the kernel needs 262144 bytes of shared memory, but a block has 232448; use smaller tiles}}
func.func @too_much(%p: !llvm.ptr, %i: i32) {
  %c1 = arith.constant 1 : i32
  %c256 = arith.constant 256 : i32
  %x = tile.view_load %p extents(%c256, %c256) strides(%c256, %c1) starts(%i, %i) padding zero
      {staticExtents = array<i64: 256, 256>, staticStrides = array<i64: 256, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x256xf32>
  %y = tile.extract %x[%i, %i] : tensor<256x256xf32> -> tensor<4x4xf32>
  tile.view_store %y, %p extents(%c256, %c256) strides(%c256, %c1) starts(%i, %i)
      {staticExtents = array<i64: 256, 256>, staticStrides = array<i64: 256, 1>} : tensor<4x4xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
// Eight operands of 32 KiB that are multiplied twice do not lie there all at once: each multiply stores its own.
// CHECK-LABEL: func.func @operands_apart
// CHECK-SAME: tile.shared_bytes = 65536
// CHECK-COUNT-16: tile.shared_store
func.func @operands_apart(%p: !llvm.ptr, %n: i32, %out: !llvm.ptr) {
  %init = arith.constant dense<0.0> : tensor<128x128xf32>
  %c1 = arith.constant 1 : i32
  %r0 = arith.constant 0 : i32
  %r1 = arith.constant 128 : i32
  %r2 = arith.constant 256 : i32
  %r3 = arith.constant 384 : i32
  %r4 = arith.constant 512 : i32
  %r5 = arith.constant 640 : i32
  %r6 = arith.constant 768 : i32
  %r7 = arith.constant 896 : i32
  %p0 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p1 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r1) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p2 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r2) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p3 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r3) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p4 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r4) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p5 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r5) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p6 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r6) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %p7 = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %r7) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xf16>
  %m00 = tile.mma %p0, %p1, %init : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m02 = tile.mma %p2, %p3, %m00 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m04 = tile.mma %p4, %p5, %m02 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m06 = tile.mma %p6, %p7, %m04 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m10 = tile.mma %p0, %p1, %m06 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m12 = tile.mma %p2, %p3, %m10 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m14 = tile.mma %p4, %p5, %m12 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  %m16 = tile.mma %p6, %p7, %m14 : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
  tile.view_store %m16, %out extents(%n, %n) strides(%n, %c1) starts(%n, %n)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
