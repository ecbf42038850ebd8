// A kernel of an image whose loop multiplies in a chain: it stands beside no other kernel, makes its tensor maps itself, and has one work tile for each block.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-specialize-chains --canonicalize --cse %s | FileCheck %s
// RUN: sed "s/aligned = 16/aligned = 8/" %s | %tessera-opt --tile-select-mma-instructions --tile-specialize-chains | FileCheck %s --check-prefix=UNALIGNED

// Its producer warp would copy element by element.
// UNALIGNED-NOT: producer_warp

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: tile.warp_specialized = 240
// What both roles need is computed before them.
// CHECK: %[[X:.*]] = tile.block_index 0
// CHECK: arith.muli %[[X]]
// Two warps look for the tensor maps side by side, with no barrier between.
// CHECK: tile.make_tensor_map 8 in %{{.*}} {finder = 8 : i64, needed}
// CHECK-NOT: init_barriers
// CHECK: tile.make_tensor_map 8 in %{{.*}} {finder = 9 : i64, needed}
// CHECK: tile.init_barriers %{{.*}} stages 3 copies 1 {readers = 2 : i64}
// CHECK: tile.init_barriers %{{.*}} stages 3 copies 1 {readers = 2 : i64}
// CHECK: tile.producer_warp registers {{[0-9]+}} {
// CHECK-NOT: work_tile
// CHECK: scf.for
// CHECK-NEXT: tile.producer_acquire
// CHECK-NOT: work_tile
// CHECK: return
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @attention(%q: !llvm.ptr {tile.restrict}, %any_k: !llvm.ptr {tile.restrict}, %any_v: !llvm.ptr {tile.restrict}, %o: !llvm.ptr {tile.restrict}, %n: i32)
    attributes {tile.kernel = "attention"} {
  %k = tile.assume %any_k {aligned = 16 : i64} : !llvm.ptr
  %v = tile.assume %any_v {aligned = 16 : i64} : !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %x = tile.block_index 0
  %row = arith.muli %x, %c128 : i32
  %query = tile.view_load %q extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0) padding zero
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
  %sum = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %key = tile.view_load %k extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %t = tile.permute %key [1, 0] : tensor<128x128xbf16> -> tensor<128x128xbf16>
    %score = tile.mma %query, %t, %zero : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    %p = tile.unary exp2 %score : tensor<128x128xf32>
    %f = tile.binary mul %s, %p : tensor<128x128xf32>
    %b = tile.cast %p : tensor<128x128xf32> -> tensor<128x128xbf16>
    %value = tile.view_load %v extents(%n, %c128) strides(%c128, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x128xbf16>
    %next = tile.mma %b, %value, %f : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xbf16>
  tile.view_store %c, %o extents(%n, %c128) strides(%c128, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, 128>, staticStrides = array<i64: 128, 1>} : tensor<128x128xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
}
