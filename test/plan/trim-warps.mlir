// Warps hold runs of rows, and a launch starts those that have columns: what the others would have
// added to a reduction is known.
// RUN: %tessera-opt --split-input-file --tile-trim-warps %s | FileCheck %s

#row = #tile.layout<[1, 2, 1024, 2048], [4, 8, 16, 32, 64], [128, 256, 512]>
#part = #tile.layout<[], [0, 0, 0, 0, 0], [1, 2, 4]>
#all = #tile.layout<[1, 2, 4], [0, 0, 0, 0, 0], [0, 0, 0]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0, 0]>
#config = #tile.config<warps = 8, operandBytes = 232448>
#to = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>

// The maximum of -inf is -inf, and exp(-inf - max) adds nothing to a sum.
// CHECK-LABEL: func.func @softmax(
// CHECK: %[[W:.*]] = tile.launched_warps %arg2 by 512 : i32
// CHECK: tile.view_load {{.*}} -> tensor<1x4096xf32, #tile.layout<[1, 2, 128, 256], [4, 8, 16, 32, 64], [512, 1024, 2048]>>
// CHECK: tile.shared_store %{{.*}}, %{{.*}} first %[[W]] else 0xFF800000 : f32 :
// CHECK: tile.shared_store %{{.*}}, %{{.*}} first %[[W]] else 0.000000e+00 : f32 :
// CHECK: tile.view_store {{.*}} tensor<1x4096xf32, #tile.layout<[1, 2, 128, 256], [4, 8, 16, 32, 64], [512, 1024, 2048]>>
module attributes {tile.launched} {
func.func @softmax(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding negative_inf {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %part = tile.reduce max %x along 1 : tensor<1x4096xf32, #row> -> tensor<1x8xf32, #part>
  %s = tile.shared_alloc : <1x8xf32, 0, 0, 0>
  tile.shared_store %part, %s : tensor<1x8xf32, #part>, <1x8xf32, 0, 0, 0>
  %all = tile.shared_load %s : <1x8xf32, 0, 0, 0> -> tensor<1x8xf32, #all>
  %max = tile.reduce max %all along 1 : tensor<1x8xf32, #all> -> tensor<1x1xf32, #one>
  %maxs = tile.broadcast %max : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %d = tile.binary sub %x, %maxs : tensor<1x4096xf32, #row>
  %e = tile.unary exp %d : tensor<1x4096xf32, #row>
  %epart = tile.reduce sum %e along 1 : tensor<1x4096xf32, #row> -> tensor<1x8xf32, #part>
  %t = tile.shared_alloc : <1x8xf32, 0, 0, 0>
  tile.shared_store %epart, %t : tensor<1x8xf32, #part>, <1x8xf32, 0, 0, 0>
  %eall = tile.shared_load %t : <1x8xf32, 0, 0, 0> -> tensor<1x8xf32, #all>
  %sum = tile.reduce sum %eall along 1 : tensor<1x8xf32, #all> -> tensor<1x1xf32, #one>
  %sums = tile.broadcast %sum : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %y = tile.binary div %e, %sums : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

#row = #tile.layout<[1, 2, 1024, 2048], [4, 8, 16, 32, 64], [128, 256, 512]>
#part = #tile.layout<[], [0, 0, 0, 0, 0], [1, 2, 4]>
#all = #tile.layout<[1, 2, 4], [0, 0, 0, 0, 0], [0, 0, 0]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0, 0]>
#config = #tile.config<warps = 8, operandBytes = 232448>
#to = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>

// Rows that are rotated in their tiles may end three slots later; columns behind the last one are
// chosen by their numbers.
// CHECK-LABEL: func.func @rotated(
// CHECK: %[[W:.*]] = tile.launched_warps %arg1 by 512 aligned(%arg0, %arg2) to 4 : i32, (!llvm.ptr, i32)
// CHECK: tile.shared_store %{{.*}}, %{{.*}} first %[[W]] else 0.000000e+00 : f32 :
module attributes {tile.launched} {
func.func @rotated(%p: !llvm.ptr, %n: i32, %stride: i32, %i: i32) attributes {tile.config = #config} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = arith.constant 4095 : i32
  %shift = tile.row_shift %p of f32 extents(%n, %n) strides(%stride, %c1) starts(%i, %c0) by 4 : (i32, i32) (i32, i32) (i32, i32)
  %x = tile.view_load %p extents(%n, %n) strides(%stride, %c1) starts(%i, %c0) shift %shift padding negative_inf {access = #to, rotation = #tile.rotation<4, same = true>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %iota = tile.iota : tensor<1x4096xi32, #row>
  %by = arith.maxsi %shift, %c0 : i32
  %bys = tile.splat %by : i32 -> tensor<1x4096xi32, #row>
  %moved = tile.binary sub %iota, %bys : tensor<1x4096xi32, #row>
  %mask = tile.splat %last : i32 -> tensor<1x4096xi32, #row>
  %number = tile.binary bit_and %moved, %mask : tensor<1x4096xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<1x4096xi32, #row>
  %inside = tile.compare lt %number, %ns : tensor<1x4096xi32, #row> -> tensor<1x4096xi1, #row>
  %zeros = arith.constant dense<0.0> : tensor<1x4096xf32, #row>
  %y = tile.select %inside, %x, %zeros : tensor<1x4096xi1, #row>, tensor<1x4096xf32, #row>
  %part = tile.reduce sum %y along 1 : tensor<1x4096xf32, #row> -> tensor<1x8xf32, #part>
  %s = tile.shared_alloc : <1x8xf32, 0, 0, 0>
  tile.shared_store %part, %s : tensor<1x8xf32, #part>, <1x8xf32, 0, 0, 0>
  %all = tile.shared_load %s : <1x8xf32, 0, 0, 0> -> tensor<1x8xf32, #all>
  %sum = tile.reduce sum %all along 1 : tensor<1x8xf32, #all> -> tensor<1x1xf32, #one>
  %sums = tile.broadcast %sum : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %z = tile.binary mul %y, %sums : tensor<1x4096xf32, #row>
  tile.view_store %z, %p extents(%n, %n) strides(%stride, %c1) starts(%i, %c0) shift %shift {access = #to, rotation = #tile.rotation<4, same = true>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}
}

// -----

#row = #tile.layout<[1, 2, 1024, 2048], [4, 8, 16, 32, 64], [128, 256, 512]>
#part = #tile.layout<[], [0, 0, 0, 0, 0], [1, 2, 4]>
#all = #tile.layout<[1, 2, 4], [0, 0, 0, 0, 0], [0, 0, 0]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0, 0]>
#config = #tile.config<warps = 8, operandBytes = 232448>
#to = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>

// exp(0) of each padding counts: it is one. So does what is stored behind the columns.
// CHECK-LABEL: func.func @ones(
// CHECK-NOT: launched_warps
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: launched_warps
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: launched_warps
module attributes {tile.launched} {
func.func @ones(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %e = tile.unary exp %x : tensor<1x4096xf32, #row>
  %part = tile.reduce sum %e along 1 : tensor<1x4096xf32, #row> -> tensor<1x8xf32, #part>
  %s = tile.shared_alloc : <1x8xf32, 0, 0, 0>
  tile.shared_store %part, %s : tensor<1x8xf32, #part>, <1x8xf32, 0, 0, 0>
  %all = tile.shared_load %s : <1x8xf32, 0, 0, 0> -> tensor<1x8xf32, #all>
  %sum = tile.reduce sum %all along 1 : tensor<1x8xf32, #all> -> tensor<1x1xf32, #one>
  %sums = tile.broadcast %sum : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %y = tile.binary div %e, %sums : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @whole(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4096 = arith.constant 4096 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %part = tile.reduce sum %x along 1 : tensor<1x4096xf32, #row> -> tensor<1x8xf32, #part>
  %s = tile.shared_alloc : <1x8xf32, 0, 0, 0>
  tile.shared_store %part, %s : tensor<1x8xf32, #part>, <1x8xf32, 0, 0, 0>
  %all = tile.shared_load %s : <1x8xf32, 0, 0, 0> -> tensor<1x8xf32, #all>
  %sum = tile.reduce sum %all along 1 : tensor<1x8xf32, #all> -> tensor<1x1xf32, #one>
  %sums = tile.broadcast %sum : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %y = tile.binary sub %x, %sums : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %c4096) strides(%c4096, %c1) starts(%i, %c0) {access = #to, staticExtents = array<i64: -1, 4096>, staticStrides = array<i64: 4096, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}
// 0 times what may be an infinity is no zero.
func.func @scaled(%p: !llvm.ptr, %q: !llvm.ptr, %by: f32, %n: i32, %i: i32) attributes {tile.config = #config} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %bys = tile.splat %by : f32 -> tensor<1x4096xf32, #row>
  %e = tile.binary mul %x, %bys : tensor<1x4096xf32, #row>
  %part = tile.reduce sum %e along 1 : tensor<1x4096xf32, #row> -> tensor<1x8xf32, #part>
  %s = tile.shared_alloc : <1x8xf32, 0, 0, 0>
  tile.shared_store %part, %s : tensor<1x8xf32, #part>, <1x8xf32, 0, 0, 0>
  %all = tile.shared_load %s : <1x8xf32, 0, 0, 0> -> tensor<1x8xf32, #all>
  %sum = tile.reduce sum %all along 1 : tensor<1x8xf32, #all> -> tensor<1x1xf32, #one>
  %sums = tile.broadcast %sum : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %y = tile.binary div %e, %sums : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #to, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
