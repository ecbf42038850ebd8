// The phases of the plan, one after the other, are the plan.
// RUN: %tessera-opt --tile-plan %s -o %t.whole
// RUN: %tessera-opt --tile-normalize --tile-tiling --tile-fit-shared-memory --tile-accesses --tile-naming %s -o %t.phases
// RUN: diff %t.whole %t.phases
// RUN: %tessera-opt --pass-pipeline="builtin.module(tile-normalize,tile-tiling,func.func(tile-mma,tile-pipeline,tile-layout,tile-lowering))" %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {

// CHECK-LABEL: func.func @matmul
// CHECK: tile.init_barriers
// CHECK: tile.shared_mma wgmma
func.func @matmul(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %c: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %acc : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  tile.view_store %sum, %c extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

}
