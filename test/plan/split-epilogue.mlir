// What an accumulator of wgmma meets behind its loop is read, and the result stored, in parts that
// registers hold.
// RUN: %tessera-opt --tile-split-epilogue %s | FileCheck %s
// RUN: sed s/sm_90a/sm_80/ %s | %tessera-opt --tile-split-epilogue | FileCheck %s --check-prefix=WARPS

module attributes {tile.target = #tile.target<"sm_90a">} {

// CHECK-LABEL: func.func @residual
// CHECK: %[[SUM:[0-9]+]] = scf.for
// CHECK: %[[A:[0-9]+]] = tile.extract %[[SUM]]{{.*}} -> tensor<128x64xf32>
// CHECK: %[[R:[0-9]+]] = tile.view_load %arg2 {{.*}} starts(%arg4, %[[COLUMN:[0-9]+]]) {{.*}} -> tensor<128x64xf32>
// CHECK: %[[X:[0-9]+]] = tile.binary add %[[A]], %[[R]]
// CHECK: tile.view_store %[[X]], %arg3 {{.*}} starts(%arg4, %[[COLUMN]]) {{.*}} : tensor<128x64xf32>
// CHECK: %[[B:[0-9]+]] = tile.extract %[[SUM]]{{.*}} -> tensor<128x64xf32>
// CHECK: %[[NEXT:[0-9]+]] = arith.addi %[[COLUMN]], %c64
// CHECK: tile.view_load %arg2 {{.*}} starts(%arg4, %[[NEXT]])
// CHECK-COUNT-3: tile.view_store {{.*}}, %arg3
// CHECK-NOT: tile.view_store
// CHECK: return
// WARPS-LABEL: func.func @residual
// WARPS-NOT: tile.extract
// WARPS: return
func.func @residual(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %c: !llvm.ptr {tile.restrict}, %row: i32, %n: i32, %block: i32) {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %column = arith.muli %block, %c256 : i32
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%x = %zero) -> (tensor<128x256xf32>) : i32 {
    %left = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %right = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %left, %right, %x : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  %meets = tile.view_load %r extents(%n, %n) strides(%n, %c1) starts(%row, %column) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x256xf32>
  %result = tile.binary add %sum, %meets : tensor<128x256xf32>
  tile.view_store %result, %c extents(%n, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What is read lies where an earlier part may have been stored.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: tile.extract
// CHECK: return
func.func @elsewhere(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %c: !llvm.ptr {tile.restrict}, %row: i32, %n: i32, %block: i32) {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %column = arith.muli %block, %c256 : i32
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%x = %zero) -> (tensor<128x256xf32>) : i32 {
    %left = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %right = tile.view_load %b extents(%n, %n) strides(%n, %c1) starts(%i, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %left, %right, %x : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  %meets = tile.view_load %c extents(%n, %n) strides(%n, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x256xf32>
  %result = tile.binary add %sum, %meets : tensor<128x256xf32>
  tile.view_store %result, %c extents(%n, %n) strides(%n, %c1) starts(%row, %column)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
