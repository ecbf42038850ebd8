// An operand of fp8 that is computed from another accumulator has its columns renamed, and the operand that it is multiplied with its rows: K is in the
// order in which a thread of an accumulator has what wgmma takes of a row. Of 16 elements 0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15.
// RUN: %tessera-opt --tile-permute-k %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
  // CHECK-LABEL: func.func @weights
  // CHECK: %[[P:.*]] = tile.cast %{{.*}} -> tensor<128x64xf8E4M3FN>
  // CHECK: %[[V:.*]] = tile.view_load
  // CHECK: tile.reshape %[[P]] : tensor<128x64xf8E4M3FN> -> tensor<128x4x2x4x2xf8E4M3FN>
  // CHECK: tile.permute %{{.*}} [0, 1, 3, 2, 4]
  // CHECK: %[[A:.*]] = tile.reshape %{{.*}} -> tensor<128x64xf8E4M3FN>
  // CHECK: tile.reshape %[[V]] : tensor<64x128xf8E4M3FN> -> tensor<4x2x4x2x128xf8E4M3FN>
  // CHECK: tile.permute %{{.*}} [0, 2, 1, 3, 4]
  // CHECK: %[[B:.*]] = tile.reshape %{{.*}} -> tensor<64x128xf8E4M3FN>
  // CHECK: tile.mma %[[A]], %[[B]],
  func.func @weights(%q: tensor<128x128xf8E4M3FN>, %k: !llvm.ptr, %v: !llvm.ptr, %n: i32, %c: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {tile.kernel = "weights"} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant 128 : i32
    %f = arith.constant 0.0 : f32
    %none = tile.splat %f : f32 -> tensor<128x64xf32>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<128x128xf32>) : i32 {
      %keys = tile.view_load %k extents(%n, %width) strides(%width, %one) starts(%i, %zero) padding zero {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf8E4M3FN>
      %kt = tile.permute %keys [1, 0] : tensor<64x128xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
      %s = tile.mma %q, %kt, %none : tensor<128x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x64xf32>
      %p = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf8E4M3FN>
      %values = tile.view_load %v extents(%n, %width) strides(%width, %one) starts(%i, %zero) padding zero {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf8E4M3FN>
      %next = tile.mma %p, %values, %sum : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN>, tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }
    return %r : tensor<128x128xf32>
  }

  // Neither halves, which have their order, nor what is no chain, nor rows of B that run along K: they would move for nothing.
  // CHECK-LABEL: func.func @halves
  // CHECK-NOT: tile.reshape
  func.func @halves(%q: tensor<128x128xf16>, %k: !llvm.ptr, %v: !llvm.ptr, %n: i32, %c: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {tile.kernel = "halves"} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant 128 : i32
    %f = arith.constant 0.0 : f32
    %none = tile.splat %f : f32 -> tensor<128x64xf32>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<128x128xf32>) : i32 {
      %keys = tile.view_load %k extents(%n, %width) strides(%width, %one) starts(%i, %zero) padding zero {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf16>
      %kt = tile.permute %keys [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
      %s = tile.mma %q, %kt, %none : tensor<128x128xf16>, tensor<128x64xf16>, tensor<128x64xf32>
      %p = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf16>
      %values = tile.view_load %v extents(%n, %width) strides(%width, %one) starts(%i, %zero) padding zero {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf16>
      %next = tile.mma %p, %values, %sum : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }
    return %r : tensor<128x128xf32>
  }

  // CHECK-LABEL: func.func @along_k
  // CHECK-NOT: tile.reshape
  func.func @along_k(%q: tensor<128x128xf8E4M3FN>, %k: !llvm.ptr, %v: !llvm.ptr, %n: i32, %c: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {tile.kernel = "along_k"} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant 128 : i32
    %f = arith.constant 0.0 : f32
    %none = tile.splat %f : f32 -> tensor<128x64xf32>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<128x128xf32>) : i32 {
      %keys = tile.view_load %k extents(%n, %width) strides(%width, %one) starts(%i, %zero) padding zero {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf8E4M3FN>
      %kt = tile.permute %keys [1, 0] : tensor<64x128xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
      %s = tile.mma %q, %kt, %none : tensor<128x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x64xf32>
      %p = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf8E4M3FN>
      %values = tile.view_load %v extents(%width, %n) strides(%n, %one) starts(%zero, %i) padding zero {staticExtents = array<i64: 128, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xf8E4M3FN>
      %vt = tile.permute %values [1, 0] : tensor<128x64xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
      %next = tile.mma %p, %vt, %sum : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN>, tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }
    return %r : tensor<128x128xf32>
  }
}
