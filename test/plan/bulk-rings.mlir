// A ring of one block on an SM is filled by bulk copies where the GPU has them: maps and phase barriers stand before it, and before loops that change nothing of the views.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops %s | FileCheck %s
// RUN: sed s/sm_90a/sm_90/ %s | %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops | FileCheck %s --check-prefix=OTHER

// Neither sm_90, which has no wgmma, nor a ring that leaves room for two blocks.
// OTHER-NOT: make_tensor_map

module attributes {tile.target = #tile.target<"sm_90a">} {

// Each view has a warp; a stage is full when both copies have arrived. A wait names its slot.
// CHECK-LABEL: func.func @large
// CHECK: %[[A_SCRATCH:.*]] = tile.shared_alloc : <32xi32
// CHECK: %[[A_MAP:.*]] = tile.make_tensor_map 0 in %[[A_SCRATCH]] : !tile.shared<32xi32, 0, 0, 0>, %arg0 extents(%arg3, %arg3) strides(%arg3, %c1{{.*}}) for !tile.shared<128x64xbf16, panels>
// CHECK: %[[B_MAP:.*]] = tile.make_tensor_map 1 in %{{.*}} : !tile.shared<32xi32, 0, 0, 0>, %arg1 extents(%arg3, %arg3) strides(%arg3, %c1{{.*}}) for !tile.shared<64x256xbf16, panels>
// CHECK: %[[RING:.*]] = tile.init_barriers %{{.*}} of %[[A_MAP]], %[[B_MAP]] stages 4 copies 2
// CHECK: tile.copy_async {{.*}} by %[[A_MAP]] at %[[RING]]
// CHECK: tile.copy_async {{.*}} by %[[B_MAP]] at %[[RING]]
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %[[READ:[^ ]*]] = %c0{{[^ ]*}}, %{{[^ ]*}} = %c2
// CHECK: tile.wait_group 1 of %[[RING]][%[[READ]] : i32]
// CHECK: tile.copy_async {{.*}} by %[[A_MAP]] at %[[RING]]
// CHECK: tile.mma_finish
// CHECK-NEXT: tile.wait_group 0
// CHECK-NEXT: tile.invalidate_barriers %[[RING]]
// CHECK-NEXT: return
func.func @large(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  return %c : tensor<128x256xf32>
}

// The outer loop's tiles are elsewhere, its views are not: extents that are computed in it are computed before it.
// CHECK-LABEL: func.func @tiles
// CHECK: arith.muli %arg3, %c2
// CHECK: tile.make_tensor_map 0
// CHECK: tile.make_tensor_map 1
// CHECK: %[[RING:.*]] = tile.init_barriers
// CHECK: scf.for
// CHECK-NOT: make_tensor_map
// CHECK: scf.for
// CHECK: tile.wait_group 1 of %[[RING]]
// CHECK: tile.view_store
// CHECK: }
// CHECK: tile.invalidate_barriers %[[RING]]
// CHECK: return
func.func @tiles(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %n step %c1 : i32 {
    %wide = arith.muli %ld, %c2 : i32
    %column = arith.muli %t, %c64 : i32
    %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%wide, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %column) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// Extents that are known in the outer loop alone: a map for each of its iterations.
// CHECK-LABEL: func.func @groups
// CHECK-NOT: make_tensor_map
// CHECK: scf.for
// CHECK: tile.make_tensor_map 0
// CHECK: %[[RING:.*]] = tile.init_barriers
// CHECK: scf.for
// CHECK: tile.wait_group 1 of %[[RING]]
// CHECK: tile.view_store
// CHECK-NEXT: tile.invalidate_barriers %[[RING]]
// CHECK-NEXT: }
func.func @groups(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr {tile.restrict}, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %n step %c1 : i32 {
    %column = arith.muli %t, %c64 : i32
    %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%t, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %column) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// A view that moves with the loop has another map in each iteration.
// CHECK-LABEL: func.func @moving
// CHECK-NOT: make_tensor_map
// CHECK: tile.copy_async
// CHECK: return
func.func @moving(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %distance = arith.muli %i, %ld : i32
    %moved = tile.offset %a, %distance of bf16 : !llvm.ptr, i32
    %x = tile.view_load %moved extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  return %c : tensor<128x256xf32>
}

// The asynchronous proxy is not told of what the last tile wrote.
// CHECK-LABEL: func.func @written
// CHECK-NOT: make_tensor_map
// CHECK: return
func.func @written(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %out: !llvm.ptr, %init: tensor<128x256xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %n step %c1 : i32 {
    %wide = arith.muli %ld, %c2 : i32
    %column = arith.muli %t, %c64 : i32
    %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.view_load %a extents(%wide, %ld) strides(%ld, %c1) starts(%t, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
      %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %column) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
      %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%t, %c0)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// Two blocks fit an SM: threads copy.
// CHECK-LABEL: func.func @small
// CHECK-NOT: make_tensor_map
// CHECK: return
func.func @small(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

}
