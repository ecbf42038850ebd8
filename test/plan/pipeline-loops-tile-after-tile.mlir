// A block that takes tile after tile has an SM for itself: as many stages as fit it, filled in bulk by maps of its own. Not where the program wants several blocks on an SM, or where tiles are few on from each other.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops %s | FileCheck %s
// RUN: sed "s/tile.kernel = .k./tile.kernel = \"k\", tile.occupancy = 2 : i64/" %s | %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops | FileCheck %s --check-prefix=BESIDE
// RUN: sed "s/tile.grid_size 0/arith.constant 66 : i32/" %s | %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops | FileCheck %s --check-prefix=BESIDE

// CHECK: tile.init_barriers %{{.*}} stages 8 copies 2
// CHECK-COUNT-2: tile.shared_alloc stages 8 : <64x64xbf16, panels>
// CHECK: tile.wait_group 5 of
// CHECK: tile.shared_mma wgmma {{.*}} {inFlight}

// BESIDE-COUNT-2: tile.shared_alloc stages 4 : <64x64xbf16, panels>
// BESIDE-NOT: init_barriers
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @k(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %n: i32, %tiles: i32) attributes {tile.kernel = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.block_index 0
  %blocks = tile.grid_size 0
  scf.for %t = %first to %tiles step %blocks : i32 {
    %row = arith.muli %t, %c64 : i32
    %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%row, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %b = tile.view_load %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
      %d = tile.mma %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.view_store %sum, %r extents(%n, %n) strides(%n, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
}
