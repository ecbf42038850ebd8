// Accesses, indices and assumptions come behind checks of what the program promises of them.
// RUN: %tessera-opt --tile-check-bounds --canonicalize %s | FileCheck %s

// A box without a mask is inside of the view.
// CHECK-LABEL: func.func @unmasked
// CHECK-SAME: %[[P:.*]]: !llvm.ptr {tile.name = "a"}, %[[N:.*]]: i32, %[[I:.*]]: i32
func.func @unmasked(%p: !llvm.ptr {tile.name = "a"}, %n: i32, %i: i32) -> tensor<64xf32> {
  // CHECK-DAG: %[[FIRST:.*]] = arith.extui %[[I]] : i32 to i64
  // CHECK-DAG: %[[WHOLE:.*]] = arith.extui %[[N]] : i32 to i64
  // CHECK: %[[LAST:.*]] = arith.subi %[[WHOLE]], %c64_i64
  // CHECK: %[[LONG:.*]] = arith.cmpi uge, %[[WHOLE]], %c64_i64
  // CHECK: %[[BEFORE:.*]] = arith.cmpi ule, %[[FIRST]], %[[LAST]]
  // CHECK: %[[HOLDS:.*]] = arith.andi %[[LONG]], %[[BEFORE]]
  // CHECK: tile.check %[[HOLDS]], "load of a tile from 'a': the box of [64] elements at [%lld] is not inside the extents [%lld]"
  // CHECK: tile.view_load
  %one = arith.constant 1 : i64
  %x = tile.view_load %p extents(%n) strides(%one) starts(%i) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>, tile.unmasked} : (i32) (i64) (i32) -> tensor<64xf32>
  return %x : tensor<64xf32>
}

// What is known to be inside needs no check.
// CHECK-LABEL: func.func @known
// CHECK-NOT: tile.check
func.func @known(%p: !llvm.ptr) -> tensor<64xf32> {
  %one = arith.constant 1 : i64
  %n = arith.constant 128 : i32
  %i = arith.constant 64 : i32
  %x = tile.view_load %p extents(%n) strides(%one) starts(%i) padding zero {staticExtents = array<i64: 128>, staticStrides = array<i64: 1>, tile.unmasked} : (i32) (i64) (i32) -> tensor<64xf32>
  return %x : tensor<64xf32>
}

// Pointers into a view lose their promise.
// CHECK-LABEL: func.func @inside
// CHECK-SAME: %[[P:.*]]: tensor<64x!llvm.ptr>, %[[M:.*]]: tensor<64xi1>
func.func @inside(%p: tensor<64x!llvm.ptr>, %m: tensor<64xi1>) -> tensor<64xf32> {
  // CHECK: tile.check %[[M]], "access of a tile in memory: an element is outside of the extents"()
  // CHECK: tile.load %[[P]]
  %q = tile.inside %p, %m : tensor<64x!llvm.ptr>, tensor<64xi1>
  %x = tile.load %q : tensor<64x!llvm.ptr> -> tensor<64xf32>
  return %x : tensor<64xf32>
}
