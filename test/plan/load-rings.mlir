// Loops that multiply nothing copy their loads ahead where a block is alone on its SM: by a ring of as many stages as keep memory busy. A block that has one iteration, of a grid as large as the tiles, does without.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s
// RUN: sed "s/tile.grid_size 0/arith.constant 132 : i32/" %s | %tessera-opt --tile-pipeline-loops | FileCheck %s --check-prefix=FIXED
// RUN: sed "s/%%step : i32/%%c1 : i32/; s/%%first to/%%c0 to/" %s | %tessera-opt --tile-pipeline-loops | FileCheck %s --check-prefix=SHARED
// RUN: sed "s/tile.kernel = .k./tile.kernel = \"k\", tile.occupancy = 4 : i64/" %s | %tessera-opt --tile-pipeline-loops | FileCheck %s --check-prefix=SHARED
// RUN: sed "s/{tile.restrict}//g" %s | %tessera-opt --tile-pipeline-loops | FileCheck %s --check-prefix=SHARED
// The number of a block's tiles may be known, and the variable be multiplied by the number of blocks.
// RUN: sed "s/%%first to %%tiles step %%step/%%c0 to %%tiles step %%c1/; s/muli %%t, %%c8/muli %%t, %%step/" %s | %tessera-opt --tile-pipeline-loops | FileCheck %s
module attributes {tile.target = #tile.target<"sm_90a">} {

// CHECK-LABEL: @rows
// CHECK: scf.if
// CHECK: tile.shared_alloc stages 3 : <8x1024xf16
// Rows may begin anywhere: each 512 bytes of them have 16 for their end.
// CHECK: tile.shared_alloc stages 3 : <128xi32
// CHECK: scf.for {{.*}} step %{{.*}} : i32 {
// CHECK: tile.wait_group 1
// CHECK-NEXT: tile.shift_rows
// CHECK: tile.copy_async {{.*}} ends
// CHECK: %[[X:.*]] = tile.shared_load
// CHECK: tile.unary exp %[[X]]
// CHECK: } else {
// CHECK-NEXT: arith.cmpi slt
// CHECK-NEXT: scf.if
// CHECK: %[[ONE:.*]] = tile.view_load
// CHECK: tile.unary exp %[[ONE]]
// CHECK-NOT: scf.for

// The grid is fixed: blocks have many iterations, and no others share an SM.
// FIXED-LABEL: @rows
// FIXED-NOT: scf.if
// FIXED: tile.shared_alloc stages 4 : <8x1024xf16
// FIXED: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c132_i32

// Other blocks compute meanwhile; or what is written may be what is read.
// SHARED-LABEL: @rows
// SHARED-NOT: tile.copy_async
// SHARED: return
func.func @rows(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %rows: i32, %n: i32, %tiles: i32) attributes {tile.kernel = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %first = tile.block_index 0
  %step = tile.grid_size 0
  scf.for %t = %first to %tiles step %step : i32 {
    %row = arith.muli %t, %c8 : i32
    %x = tile.view_load %p extents(%rows, %n) strides(%n, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<8x1024xf16>
    %y = tile.unary exp %x : tensor<8x1024xf16>
    tile.view_store %y, %q extents(%rows, %n) strides(%n, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<8x1024xf16> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
}
