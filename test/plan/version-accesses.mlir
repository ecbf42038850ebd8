// A kernel that reduces has a version in which all of its views are aligned.
// RUN: %tessera-opt --tile-version-accesses %s | FileCheck %s
// RUN: %tessera-opt --tile-version-accesses --tile-plan-occupancy %s | FileCheck %s --check-prefix=BLOCKS

#row = #tile.layout<[1, 2, 4, 1024], [8, 16, 32, 64, 128], [256, 512]>
#part = #tile.layout<[], [0, 0, 0, 0, 0], [1, 2]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>
#config = #tile.config<warps = 4, operandBytes = 232448>

// Each view is asked once, in front of both versions; the other version stays as it was. Each has
// its own shared memory, at the same offset.
// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: tile.versions
// CHECK: %[[X:.*]] = tile.allows_chunks %arg0 of bf16
// CHECK: %[[Y:.*]] = tile.allows_chunks %arg1 of bf16
// CHECK: %[[BOTH:.*]] = arith.andi %[[X]], %[[Y]]
// CHECK-NOT: tile.allows_chunks
// CHECK: scf.if %[[BOTH]]
// CHECK: tile.view_load {{.*}}aligned = true
// CHECK: tile.reduce
// CHECK: tile.shared_alloc
// CHECK: tile.view_load {{.*}}aligned = true
// CHECK: tile.view_store {{.*}}aligned = true
// CHECK: } else {
// CHECK: tile.view_load {{.*}}aligned = false
// CHECK: tile.reduce
// CHECK: tile.shared_alloc
// CHECK: tile.view_load {{.*}}aligned = false
// CHECK: tile.view_store {{.*}}aligned = false
// CHECK-NEXT: } {tile.by_alignment}
// CHECK-NEXT: return

// 4 KiB of a row: 16 blocks keep memory busy, for which the aligned version has registers.
// BLOCKS-LABEL: func.func @softmax(
// BLOCKS-SAME: tile.min_blocks = 16
func.func @softmax(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
  %v = tile.cast %x : tensor<1x2048xbf16, #row> -> tensor<1x2048xf32, #row>
  %m = tile.reduce max %v along 1 : tensor<1x2048xf32, #row> -> tensor<1x4xf32, #part>
  %s = tile.shared_alloc {offset = 0 : i64} : <1x4xf32, 0, 0, 0>
  tile.shared_store %m, %s : tensor<1x4xf32, #part>, <1x4xf32, 0, 0, 0>
  %again = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
  tile.view_store %again, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What a view needs that is computed later comes first; an access in a loop is one of the version.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[BASE:.*]] = llvm.getelementptr
// CHECK: tile.allows_chunks %arg0
// CHECK: tile.allows_chunks %[[BASE]]
// CHECK: scf.if
// CHECK: scf.for
// CHECK: tile.view_load {{.*}}aligned = true
// CHECK: tile.view_store %{{.*}}, %[[BASE]] {{.*}}aligned = true
// CHECK: } else {
// CHECK: tile.view_store %{{.*}}, %[[BASE]] {{.*}}aligned = false
func.func @loop(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %i to %n step %c1 : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%r, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
    %m = tile.reduce max %x along 1 : tensor<1x2048xbf16, #row> -> tensor<1x4xbf16, #part>
    %s = tile.shared_alloc {offset = 0 : i64} : <1x4xbf16, 0, 0, 0>
    tile.shared_store %m, %s : tensor<1x4xbf16, #part>, <1x4xbf16, 0, 0, 0>
  }
  %base = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
  %y = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
  tile.view_store %y, %base extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A start that is no multiple of a group is not asked of the view: the access stays guarded.
// CHECK-LABEL: func.func @start(
// CHECK: scf.if
// CHECK: tile.view_load {{.*}}starts(%arg3, %arg3) {{.*}}aligned = false
// CHECK: tile.view_load {{.*}}aligned = true
// CHECK: tile.view_store {{.*}}aligned = true
// CHECK: } else {
func.func @start(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %i) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
  %m = tile.reduce max %x along 1 : tensor<1x2048xbf16, #row> -> tensor<1x4xbf16, #part>
  %s = tile.shared_alloc {offset = 0 : i64} : <1x4xbf16, 0, 0, 0>
  tile.shared_store %m, %s : tensor<1x4xbf16, #part>, <1x4xbf16, 0, 0, 0>
  %y = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Nothing is reduced: no tile waits for another one.
// CHECK-LABEL: func.func @copy(
// CHECK-NOT: scf.if
func.func @copy(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %y = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
  tile.view_store %y, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Behind a test of the row's number: the versions stand in the branch.
// CHECK-LABEL: func.func @row_of_matrix(
// CHECK: arith.cmpi slt
// CHECK-NEXT: scf.if
// CHECK: %[[BASE:.*]] = llvm.getelementptr %arg1
// CHECK: tile.allows_chunks %arg0
// CHECK: tile.allows_chunks %[[BASE]]
// CHECK: scf.if
// CHECK: tile.view_load {{.*}}aligned = true
// CHECK: tile.view_store {{.*}}aligned = true
// CHECK: } else {
// CHECK: tile.view_load {{.*}}aligned = false
// CHECK: tile.view_store {{.*}}aligned = false
// CHECK-NEXT: } {tile.by_alignment}
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: return
func.func @row_of_matrix(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %in = arith.cmpi slt, %i, %n : i32
  scf.if %in {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
    %m = tile.reduce max %x along 1 : tensor<1x2048xbf16, #row> -> tensor<1x4xbf16, #part>
    %s = tile.shared_alloc {offset = 0 : i64} : <1x4xbf16, 0, 0, 0>
    tile.shared_store %m, %s : tensor<1x4xbf16, #part>, <1x4xbf16, 0, 0, 0>
    %base = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    tile.view_store %x, %base extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// What the branch leaves is of the version that ran; what it has from outside both use.
// CHECK-LABEL: func.func @result(
// CHECK: %[[R:.*]] = scf.if %arg4 -> (tensor<1x2048xbf16,
// CHECK: %[[V:.*]] = scf.if %{{.*}} -> (tensor<1x2048xbf16,
// CHECK: scf.yield
// CHECK: } else {
// CHECK: scf.yield
// CHECK: } {tile.by_alignment}
// CHECK-NEXT: scf.yield %[[V]]
// CHECK: tile.view_store %[[R]], %arg1 {{.*}}aligned = true
func.func @result(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32, %in: i1) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<1x2048xbf16, #row>
  %r = scf.if %in -> (tensor<1x2048xbf16, #row>) {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
    %m = tile.reduce max %x along 1 : tensor<1x2048xbf16, #row> -> tensor<1x4xbf16, #part>
    %s = tile.shared_alloc {offset = 0 : i64} : <1x4xbf16, 0, 0, 0>
    tile.shared_store %m, %s : tensor<1x4xbf16, #part>, <1x4xbf16, 0, 0, 0>
    %again = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
    tile.view_store %again, %p extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %again : tensor<1x2048xbf16, #row>
  } else {
    scf.yield %none : tensor<1x2048xbf16, #row>
  }
  tile.view_store %r, %q extents(%n, %n) strides(%n, %c1) starts(%i, %c0) {access = #tile.access<8 along 1, aligned = true, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Views that are made in a loop of what is known in front of it.
// CHECK-LABEL: func.func @views_in_loop(
// CHECK: %[[BASE:.*]] = llvm.getelementptr %arg1[%arg3]
// CHECK: tile.allows_chunks %[[BASE]]
// CHECK: scf.if
// CHECK: scf.for
func.func @views_in_loop(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %i to %n step %c1 : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%r, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
    %m = tile.reduce max %x along 1 : tensor<1x2048xbf16, #row> -> tensor<1x4xbf16, #part>
    %s = tile.shared_alloc {offset = 0 : i64} : <1x4xbf16, 0, 0, 0>
    tile.shared_store %m, %s : tensor<1x4xbf16, #part>, <1x4xbf16, 0, 0, 0>
    %base = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    tile.view_store %x, %base extents(%n, %n) strides(%n, %c1) starts(%r, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// Views of an iteration: not asked.
// CHECK-LABEL: func.func @views_of_iteration(
// CHECK-NOT: tile.allows_chunks
func.func @views_of_iteration(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %i: i32) attributes {tile.config = #config, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %i to %n step %c1 : i32 {
    %base = llvm.getelementptr %q[%r] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
    %x = tile.view_load %base extents(%n, %n) strides(%n, %c1) starts(%r, %c0) padding zero {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x2048xbf16, #row>
    %m = tile.reduce max %x along 1 : tensor<1x2048xbf16, #row> -> tensor<1x4xbf16, #part>
    %s = tile.shared_alloc {offset = 0 : i64} : <1x4xbf16, 0, 0, 0>
    tile.shared_store %m, %s : tensor<1x4xbf16, #part>, <1x4xbf16, 0, 0, 0>
    tile.view_store %x, %base extents(%n, %n) strides(%n, %c1) starts(%r, %c0) {access = #tile.access<8 along 1, aligned = false, bounds = [whole, checked]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x2048xbf16, #row> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}
