// Loads that are needed behind a reduction over warps stand there.
// RUN: %tessera-opt --tile-sink-loads %s | FileCheck %s

#row = #tile.layout<[1, 2, 512, 1024, 2048], [4, 8, 16, 32, 64], [128, 256]>
#part = #tile.layout<[], [0, 0, 0, 0, 0], [1, 2]>
#parts = #tile.layout<[1, 2], [0, 0, 0, 0, 0], [0, 0]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>

// A weight, and its conversion; what is reduced stays in front.
// CHECK-LABEL: func.func @weights(
// CHECK: tile.view_load %arg0
// CHECK-NOT: tile.view_load
// CHECK: tile.shared_store
// CHECK: tile.reduce sum
// CHECK: tile.view_load %arg1
// CHECK: tile.cast
// CHECK-NEXT: tile.binary mul
func.func @weights(%p: !llvm.ptr {tile.restrict}, %w: !llvm.ptr, %q: !llvm.ptr {tile.restrict}, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %h = tile.view_load %w extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xbf16, #row>
  %g = tile.cast %h : tensor<1x4096xbf16, #row> -> tensor<1x4096xf32, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %sp = tile.reduce sum %x along 1 : tensor<1x4096xf32, #row> -> tensor<1x4xf32, #part>
  %sa = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
  tile.shared_store %sp, %sa : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
  %ss = tile.shared_load %sa : <1x4xf32, 0, 0, 0> -> tensor<1x4xf32, #parts>
  %sr = tile.reduce sum %ss along 1 : tensor<1x4xf32, #parts> -> tensor<1x1xf32, #one>
  %s = tile.broadcast %sr : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %a = tile.binary mul %x, %g : tensor<1x4096xf32, #row>
  %y = tile.binary mul %a, %s : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What is written in between may be the weights.
// CHECK-LABEL: func.func @written(
// CHECK: tile.view_load %arg1
// CHECK: tile.view_load %arg0
// CHECK: tile.view_store
// CHECK: tile.shared_store
func.func @written(%p: !llvm.ptr, %w: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g = tile.view_load %w extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  tile.view_store %x, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  %sp = tile.reduce sum %x along 1 : tensor<1x4096xf32, #row> -> tensor<1x4xf32, #part>
  %sa = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
  tile.shared_store %sp, %sa : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
  %ss = tile.shared_load %sa : <1x4xf32, 0, 0, 0> -> tensor<1x4xf32, #parts>
  %sr = tile.reduce sum %ss along 1 : tensor<1x4xf32, #parts> -> tensor<1x1xf32, #one>
  %s = tile.broadcast %sr : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %a = tile.binary mul %x, %g : tensor<1x4096xf32, #row>
  %y = tile.binary mul %a, %s : tensor<1x4096xf32, #row>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A later reduction waits for it.
// CHECK-LABEL: func.func @reduced(
// CHECK: tile.view_load %arg1
// CHECK: tile.view_load %arg0
// CHECK: tile.shared_store
func.func @reduced(%p: !llvm.ptr {tile.restrict}, %w: !llvm.ptr, %q: !llvm.ptr {tile.restrict}, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g = tile.view_load %w extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %sp = tile.reduce sum %x along 1 : tensor<1x4096xf32, #row> -> tensor<1x4xf32, #part>
  %sa = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
  tile.shared_store %sp, %sa : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
  %ss = tile.shared_load %sa : <1x4xf32, 0, 0, 0> -> tensor<1x4xf32, #parts>
  %sr = tile.reduce sum %ss along 1 : tensor<1x4xf32, #parts> -> tensor<1x1xf32, #one>
  %s = tile.broadcast %sr : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %a = tile.binary mul %s, %g : tensor<1x4096xf32, #row>
  %tp = tile.reduce sum %a along 1 : tensor<1x4096xf32, #row> -> tensor<1x4xf32, #part>
  %ta = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
  tile.shared_store %tp, %ta : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
  %ts = tile.shared_load %ta : <1x4xf32, 0, 0, 0> -> tensor<1x4xf32, #parts>
  %tr = tile.reduce sum %ts along 1 : tensor<1x4xf32, #parts> -> tensor<1x1xf32, #one>
  %t = tile.broadcast %tr : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %y = tile.binary mul %a, %t : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// No barrier is between, and used in front of it, too.
// CHECK-LABEL: func.func @in_front(
// CHECK: tile.view_load %arg1
// CHECK: tile.view_load %arg0
// CHECK: tile.view_store
// CHECK: tile.shared_store
func.func @in_front(%p: !llvm.ptr {tile.restrict}, %w: !llvm.ptr, %q: !llvm.ptr {tile.restrict}, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g = tile.view_load %w extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x4096xf32, #row>
  %a = tile.binary mul %x, %g : tensor<1x4096xf32, #row>
  tile.view_store %a, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  %sp = tile.reduce sum %x along 1 : tensor<1x4096xf32, #row> -> tensor<1x4xf32, #part>
  %sa = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
  tile.shared_store %sp, %sa : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
  %ss = tile.shared_load %sa : <1x4xf32, 0, 0, 0> -> tensor<1x4xf32, #parts>
  %sr = tile.reduce sum %ss along 1 : tensor<1x4xf32, #parts> -> tensor<1x1xf32, #one>
  %s = tile.broadcast %sr : tensor<1x1xf32, #one> -> tensor<1x4096xf32, #row>
  %b = tile.binary mul %x, %g : tensor<1x4096xf32, #row>
  %y = tile.binary mul %b, %s : tensor<1x4096xf32, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<4 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x4096xf32, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}
