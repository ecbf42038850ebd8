// In the version for views of any alignment, threads hold single elements of 4 bytes or more.
// RUN: %tessera-opt --tile-coalesce-rows %s | FileCheck %s

#row = #tile.layout<[1, 2, 512], [4, 8, 16, 32, 64], [128, 256]>
#doubles = #tile.layout<[1, 256], [2, 4, 8, 16, 32], [64, 128]>
#column = #tile.layout<[1, 2], [4, 8, 16, 32, 64], [128, 0]>
#part = #tile.layout<[], [0, 0, 0, 0, 0], [1, 2]>
#config = #tile.config<warps = 4, operandBytes = 232448>

// The tiles of the other version stay as they are, and what a reduction leaves does. Rows are not
// rotated any more, nor are their columns' numbers.
// CHECK-LABEL: func.func @row(
// CHECK: scf.if
// CHECK: tile.view_load {{.*}}access<4 along 1, aligned = true{{.*}} -> tensor<1x1024xf32, #tile.layout<[1, 2, 512],
// CHECK: } else {
// CHECK-NOT: tile.row_shift
// CHECK: tile.view_load %arg0 {{.*}}) padding zero {access = #tile.access<1 along 1, aligned = true, bounds = [whole, checked]>{{.*}} -> tensor<1x1024xf32, #tile.layout<[32, 64, 512],
// CHECK: %[[I:.*]] = tile.iota : tensor<1x1024xi32, #tile.layout<[32, 64, 512], [1, 2, 4, 8, 16], [128, 256]>>
// CHECK: tile.compare lt %[[I]]
// CHECK: tile.reduce sum {{.*}}layout<[32, 64, 512], {{.*}} -> tensor<1x4xf32, #tile.layout<[],
// CHECK: tile.view_store %{{.*}}, %arg1 {{.*}}access<1 along 1, aligned = true, bounds = [whole, checked]>
// CHECK-SAME: tensor<1x1024xf32, #tile.layout<[32, 64, 512],
func.func @row(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.if %aligned {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x1024xf32, #row>
    tile.view_store %x, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x1024xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  } else {
    %c1023 = arith.constant 1023 : i32
    %s = tile.row_shift %p of f32 extents(%n, %n) strides(%n, %c1) starts(%i, %c0) by 4 : (i32, i32) (i32, i32) (i32, i32)
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) shift %s padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, rotation = #tile.rotation<4, same = true>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x1024xf32, #row>
    %iota = tile.iota : tensor<1x1024xi32, #row>
    %by = arith.maxsi %s, %c0 : i32
    %bys = tile.splat %by : i32 -> tensor<1x1024xi32, #row>
    %moved = tile.binary sub %iota, %bys : tensor<1x1024xi32, #row>
    %mask = tile.splat %c1023 : i32 -> tensor<1x1024xi32, #row>
    %number = tile.binary bit_and %moved, %mask : tensor<1x1024xi32, #row>
    %ns = tile.splat %n : i32 -> tensor<1x1024xi32, #row>
    %in = tile.compare lt %number, %ns : tensor<1x1024xi32, #row> -> tensor<1x1024xi1, #row>
    %zero = arith.constant dense<0.0> : tensor<1x1024xf32, #row>
    %y = tile.select %in, %x, %zero : tensor<1x1024xi1, #row>, tensor<1x1024xf32, #row>
    %m = tile.reduce sum %y along 1 : tensor<1x1024xf32, #row> -> tensor<1x4xf32, #part>
    %a = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
    tile.shared_store %m, %a : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
    tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) shift %s {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, rotation = #tile.rotation<4, same = true>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x1024xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}

// Pairs of doubles.
// CHECK-LABEL: func.func @doubles(
// CHECK: tile.view_load {{.*}}access<1 along 1, aligned = true{{.*}} -> tensor<1x512xf64, #tile.layout<[32, 256],
// CHECK: tile.view_store {{.*}}access<1 along 1, aligned = true{{.*}} tensor<1x512xf64, #tile.layout<[32, 256],
func.func @doubles(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.if %aligned {
  } else {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<2 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x512xf64, #doubles>
    tile.view_store %x, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<2 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x512xf64, #doubles> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}

// What a loop carries, in several rows that are folded onto one another: the result is a row.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.for {{.*}} -> (tensor<4x256xf32, #tile.layout<[32, 64, 512],
// CHECK: tile.view_load {{.*}}access<1 along 1, aligned = true
// CHECK: tile.reduce sum %{{.*}} along 0 : tensor<4x256xf32, #tile.layout<[32, 64, 512], [1, 2, 4, 8, 16], [128, 256]>> -> tensor<1x256xf32, #tile.layout<[32, 64],
// CHECK: tile.view_store {{.*}}access<1 along 1, aligned = true
func.func @rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.if %aligned {
  } else {
    %zero = arith.constant dense<0.0> : tensor<4x256xf32, #row>
    %sums = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x256xf32, #row>) : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<4x256xf32, #row>
      %t = tile.binary add %s, %x : tensor<4x256xf32, #row>
      scf.yield %t : tensor<4x256xf32, #row>
    }
    %sum = tile.reduce sum %sums along 0 : tensor<4x256xf32, #row> -> tensor<1x256xf32, #column>
    tile.view_store %sum, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x256xf32, #column> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}

// Elements of 2 bytes among them: single ones would be too many accesses.
// CHECK-LABEL: func.func @halves(
// CHECK: tile.view_load {{.*}}access<4 along 1, aligned = false{{.*}} -> tensor<1x1024xf32, #tile.layout<[1, 2, 512],
// CHECK: tile.view_load {{.*}}access<4 along 1, aligned = false{{.*}} -> tensor<1x1024xbf16, #tile.layout<[1, 2, 512], [4, 8, 16, 32, 64], [128, 256]>>
func.func @halves(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.if %aligned {
  } else {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x1024xf32, #row>
    %h = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x1024xbf16, #row>
    %w = tile.cast %h : tensor<1x1024xbf16, #row> -> tensor<1x1024xf32, #row>
    %y = tile.binary add %x, %w : tensor<1x1024xf32, #row>
    tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x1024xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}

// A scan wants neighbours in a thread, a tile of the whole kernel is in the other version, too.
// CHECK-LABEL: func.func @scan(
// CHECK: tile.view_load {{.*}}access<4 along 1, aligned = false
func.func @scan(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.if %aligned {
  } else {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x1024xf32, #row>
    %y = tile.scan sum %x along 1 : tensor<1x1024xf32, #row>
    tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x1024xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}

// CHECK-LABEL: func.func @shared_tile(
// CHECK: tile.view_load {{.*}}access<4 along 1, aligned = false
func.func @shared_tile(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1x1024xf32, #row>
  scf.if %aligned {
  } else {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x1024xf32, #row>
    %y = tile.binary add %x, %zero : tensor<1x1024xf32, #row>
    tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x1024xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}

// Rows of 128 bytes: 8 lanes have one, and would access 32 bytes side by side.
// CHECK-LABEL: func.func @short_rows(
// CHECK: tile.view_load {{.*}}access<4 along 1, aligned = false
func.func @short_rows(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %aligned: i1) attributes {tile.config = #config, tile.versions} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.if %aligned {
  } else {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x32xf32, #row>
    tile.view_store %x, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<32x32xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  } {tile.by_alignment}
  return
}
