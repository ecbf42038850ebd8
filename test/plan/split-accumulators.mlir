// A sum beyond the registers of two warpgroups is made in parts, one loop after the other.
// RUN: %tessera-opt --tile-split-accumulators %s | FileCheck %s
// RUN: sed s/sm_90a/sm_80/ %s | %tessera-opt --tile-split-accumulators | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {

// What is stored may be what the loops read: it is stored behind both.
// CHECK-LABEL: func.func @square
// CHECK: %[[UPPER:.*]] = scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: tile.view_load %arg0 {{.*}} starts(%[[ROW:.*]], %{{.*}}) {{.*}} -> tensor<128x64xbf16>
// CHECK: tile.view_load %arg1 {{.*}} -> tensor<64x256xbf16>
// CHECK: tile.mma {{.*}} : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
// CHECK: %[[A:.*]] = tile.cast %[[UPPER]]
// CHECK: %[[LOWER:.*]] = scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: %[[ROW_2:.*]] = arith.addi %[[ROW]], %c128
// CHECK: tile.view_load %arg0 {{.*}} starts(%[[ROW_2]], %{{.*}}) {{.*}} -> tensor<128x64xbf16>
// CHECK: %[[B:.*]] = tile.cast %[[LOWER]]
// CHECK: tile.view_store %[[A]], %arg2 {{.*}} starts(%[[ROW]], %c0{{.*}}) {{.*}} : tensor<128x256xbf16>
// CHECK: tile.view_store %[[B]], %arg2
// CHECK-NOT: scf.for
// CHECK: return
func.func @square(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %half = tile.cast %c : tensor<256x256xf32> -> tensor<256x256xbf16>
  tile.view_store %half, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// One of many matrices: boxes of three dimensions have parts along the last two. Where a result goes is known before the loops, so that a part goes before the next one is begun.
// CHECK-LABEL: func.func @batch
// CHECK: %[[PITCH:.*]] = arith.muli %arg3, %arg4
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}} -> tensor<1x128x64xbf16>
// CHECK: tile.view_load %arg1 {{.*}} -> tensor<1x64x256xbf16>
// CHECK: tile.reshape %[[X]] : tensor<1x128x64xbf16> -> tensor<128x64xbf16>
// CHECK: %[[A:.*]] = tile.reshape %{{.*}} : tensor<128x256xf32> -> tensor<1x128x256xf32>
// CHECK: tile.view_store %[[A]], %arg2 {{.*}} strides(%[[PITCH]], {{.*}} starts(%arg5, %[[ROW:.*]], %c0
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: arith.addi %[[ROW]], %c128
// CHECK: %[[ROW_2:.*]] = arith.addi %[[ROW]], %c128
// CHECK: tile.view_store %{{.*}}, %arg2 {{.*}} starts(%arg5, %[[ROW_2]], %c0
// CHECK: return
func.func @batch(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %batch: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%n, %ld, %ld) strides(%n, %ld, %c1) starts(%batch, %row, %i) padding zero
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<1x256x64xbf16>
    %y = tile.view_load %b extents(%n, %ld, %ld) strides(%n, %ld, %c1) starts(%batch, %i, %c0) padding zero
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<1x64x256xbf16>
    %u = tile.reshape %x : tensor<1x256x64xbf16> -> tensor<256x64xbf16>
    %v = tile.reshape %y : tensor<1x64x256xbf16> -> tensor<64x256xbf16>
    %next = tile.mma %u, %v, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %box = tile.reshape %c : tensor<256x256xf32> -> tensor<1x256x256xf32>
  %pitch = arith.muli %n, %ld : i32
  tile.view_store %box, %out extents(%n, %ld, %ld) strides(%pitch, %ld, %c1) starts(%batch, %row, %c0)
      {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : tensor<1x256x256xf32> (i32, i32, i32) (i32, i32, i32) (i32, i32, i32)
  return
}

// What they read is nothing else's: a part is stored before the next one is begun.
// CHECK-LABEL: func.func @apart
// CHECK: scf.for
// CHECK: tile.view_store
// CHECK: scf.for
// CHECK: tile.view_store
// CHECK: return
func.func @apart(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %half = tile.cast %c : tensor<256x256xf32> -> tensor<256x256xbf16>
  tile.view_store %half, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Not where the loop writes, where its sum is looked at as a whole or begins as a tile, and where a box may begin below 0.
// CHECK-LABEL: func.func @writes
// CHECK: tensor<256x256xf32>
// CHECK-LABEL: func.func @looked_at
// CHECK: tile.mma {{.*}} tensor<256x256xf32>
// CHECK-LABEL: func.func @begun
// CHECK: tile.mma {{.*}} tensor<256x256xf32>
// CHECK-LABEL: func.func @anywhere
// CHECK: tile.mma {{.*}} tensor<256x256xf32>
func.func @writes(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    tile.store %i, %out : i32, !llvm.ptr
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %half = tile.cast %c : tensor<256x256xf32> -> tensor<256x256xbf16>
  tile.view_store %half, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @looked_at(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %t = tile.reshape %c : tensor<256x256xf32> -> tensor<512x128xf32>
  tile.view_store %t, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<512x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @begun(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %other) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %half = tile.cast %c : tensor<256x256xf32> -> tensor<256x256xbf16>
  tile.view_store %half, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @anywhere(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%block, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %block) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %half = tile.cast %c : tensor<256x256xf32> -> tensor<256x256xbf16>
  tile.view_store %half, %out extents(%ld, %ld) strides(%ld, %c1) starts(%block, %block)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Where rows may begin below 0 columns are divided.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: tile.mma {{.*}} : tensor<256x64xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>
// CHECK-NOT: tile.mma
func.func @columns(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%block, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %half = tile.cast %c : tensor<256x256xf32> -> tensor<256x256xbf16>
  tile.view_store %half, %out extents(%ld, %ld) strides(%ld, %c1) starts(%block, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Of two sums of a loop both are split.
// CHECK-LABEL: func.func @both
// CHECK-NOT: tile.mma {{.*}}tensor<256x256xf32>
// CHECK-COUNT-4: tile.view_store {{.*}} : tensor<128x256xf32>
// CHECK: return
func.func @both(%a: !llvm.ptr, %b: !llvm.ptr, %d: !llvm.ptr, %out: !llvm.ptr, %out2: !llvm.ptr, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c:2 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %sum2 = %init) -> (tensor<256x256xf32>, tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %z = tile.view_load %d extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    %next2 = tile.mma %z, %y, %sum2 : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next, %next2 : tensor<256x256xf32>, tensor<256x256xf32>
  }
  tile.view_store %c#0, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %c#1, %out2 extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// What the loop writes besides, to other memory than it reads, the first part's loop writes.
// CHECK-LABEL: func.func @written
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>, i32)
// CHECK: llvm.store
// CHECK: scf.for
// CHECK: tile.mma {{.*}}tensor<128x256xf32>
// CHECK-NOT: llvm.store
// Where it may be what is read, the second loop would read something else.
// CHECK-LABEL: func.func @written_to_operand
// CHECK: scf.for {{.*}} -> (tensor<256x256xf32>, i32)
func.func @written(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %d: !llvm.ptr, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c, %last = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %own = %c1) -> (tensor<256x256xf32>, i32) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    %more = arith.muli %own, %own : i32
    llvm.store %more, %d : i32, !llvm.ptr
    scf.yield %next, %more : tensor<256x256xf32>, i32
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @written_to_operand(%a: !llvm.ptr, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %d: !llvm.ptr, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c, %last = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %own = %c1) -> (tensor<256x256xf32>, i32) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    %more = arith.muli %own, %own : i32
    llvm.store %more, %d : i32, !llvm.ptr
    scf.yield %next, %more : tensor<256x256xf32>, i32
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Sums that registers hold one by one and not together: two products that meet behind the loop, with
// what is read there. A part is stored before the next one is begun.
// CHECK-LABEL: func.func @meet
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK: tile.view_load %arg0 {{.*}} -> tensor<128x64xbf16>
// CHECK: tile.view_load %arg1 {{.*}} starts(%{{.*}}, %c0{{.*}}) {{.*}} -> tensor<64x128xbf16>
// CHECK: tile.view_load %arg2 {{.*}} -> tensor<64x128xbf16>
// CHECK: tile.view_load %arg4 {{.*}} starts(%[[ROW:.*]], %c0{{.*}}) {{.*}} -> tensor<128x128xf32>
// CHECK: tile.view_store {{.*}} starts(%[[ROW]], %c0{{.*}}) {{.*}} : tensor<128x128xf32>
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK: tile.view_load %arg1 {{.*}} starts(%{{.*}}, %c128{{.*}}) {{.*}} -> tensor<64x128xbf16>
// CHECK: tile.view_load %arg4 {{.*}} starts(%[[ROW]], %c128{{.*}}) {{.*}} -> tensor<128x128xf32>
// CHECK: tile.view_store {{.*}} starts(%[[ROW]], %c128{{.*}}) {{.*}} : tensor<128x128xf32>
// CHECK-NOT: tensor<128x256xf32>
func.func @meet(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %r: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %block, %c128 : i32
  %c:2 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %sum2 = %init) -> (tensor<128x256xf32>, tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %z = tile.view_load %d extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    %next2 = tile.mma %x, %z, %sum2 : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %next, %next2 : tensor<128x256xf32>, tensor<128x256xf32>
  }
  %m = tile.binary mul %c#0, %c#1 : tensor<128x256xf32>
  %w = tile.view_load %r extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x256xf32>
  %o = tile.binary add %m, %w : tensor<128x256xf32>
  tile.view_store %o, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A sum that is added to another one every few iterations: what branches yield is divided, too.
// CHECK-LABEL: func.func @levels
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK: tile.mma {{.*}} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
// CHECK: tile.select {{.*}} : tensor<128x128xi1>, tensor<128x128xf32>
// CHECK: scf.if {{.*}} -> (tensor<128x128xf32>)
// CHECK: tile.binary add {{.*}} : tensor<128x128xf32>
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK-NOT: tensor<128x256xf32>
func.func @levels(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %block, %c128 : i32
  %c:2 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %sum2 = %init) -> (tensor<128x256xf32>, tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    %is = arith.cmpi eq, %i, %c3 : i32
    %mask = tile.splat %is : i1 -> tensor<128x256xi1>
    %one = tile.select %mask, %init, %next : tensor<128x256xi1>, tensor<128x256xf32>
    %inner = scf.if %is -> (tensor<128x256xf32>) {
      scf.yield %init : tensor<128x256xf32>
    } else {
      scf.yield %one : tensor<128x256xf32>
    }
    %outer = scf.if %is -> (tensor<128x256xf32>) {
      %s = tile.binary add %sum2, %next : tensor<128x256xf32>
      scf.yield %s : tensor<128x256xf32>
    } else {
      scf.yield %sum2 : tensor<128x256xf32>
    }
    scf.yield %inner, %outer : tensor<128x256xf32>, tensor<128x256xf32>
  }
  %m = tile.binary add %c#0, %c#1 : tensor<128x256xf32>
  tile.view_store %m, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A product that begins anew in each iteration, scaled by row.
// CHECK-LABEL: func.func @scaled
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>)
// CHECK: tile.mma {{.*}} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
// CHECK: tile.broadcast {{.*}} : tensor<128x1xf32> -> tensor<128x128xf32>
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>)
// CHECK-NOT: tensor<128x256xf32>
func.func @scaled(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %block, %c128 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %w = tile.view_load %d extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x1xf32>
    %next = tile.mma %x, %y, %init : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    %by = tile.broadcast %w : tensor<128x1xf32> -> tensor<128x256xf32>
    %more = tile.binary mul %next, %by : tensor<128x256xf32>
    %all = tile.binary add %sum, %more : tensor<128x256xf32>
    scf.yield %all : tensor<128x256xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A part of what is read where it is stored may be stored before the next one is read; not so where
// it is read the other way round.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for
// CHECK: tile.view_store
// CHECK: scf.for
// CHECK: tile.view_load %arg2
// CHECK: tile.view_store
// CHECK-LABEL: func.func @transposed_place
// CHECK: scf.for
// CHECK-NOT: tile.view_store
// CHECK: scf.for
// CHECK: tile.view_load %arg2
// CHECK: tile.view_store
func.func @in_place(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %old = tile.view_load %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %row) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x256xf32>
  %new = tile.binary add %c, %old : tensor<256x256xf32>
  tile.view_store %new, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %row)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @transposed_place(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %block: i32, %other: tensor<256x256xf32>) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %row = arith.muli %block, %c256 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    scf.yield %next : tensor<256x256xf32>
  }
  %old = tile.view_load %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %row) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x256xf32>
  %transposed = tile.permute %old [1, 0] : tensor<256x256xf32> -> tensor<256x256xf32>
  %new = tile.binary add %c, %transposed : tensor<256x256xf32>
  tile.view_store %new, %out extents(%ld, %ld) strides(%ld, %c1) starts(%row, %row)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Two levels whose branch writes: so does the first part's loop alone. What the loop counts besides
// is the first part's, too, wherever it says what is stored, and where.
// CHECK-LABEL: func.func @written_in_branch
// CHECK: %[[FIRST:.*]]:4 = scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>, i32, f32)
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: tile.splat %[[FIRST]]#3
// CHECK: tile.view_store {{.*}} starts(%[[FIRST]]#2, %c0{{.*}})
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK: scf.if
// CHECK-NOT: llvm.store
// CHECK: tile.splat %[[FIRST]]#3
// CHECK: tile.view_store {{.*}} starts(%[[FIRST]]#2, %c128{{.*}})
func.func @written_in_branch(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %d: !llvm.ptr, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<128x256xf32>
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %block, %c128 : i32
  %c:4 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %sum2 = %init, %own = %c1, %scale = %one) -> (tensor<128x256xf32>, tensor<128x256xf32>, i32, f32) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%row, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    %is = arith.cmpi eq, %i, %c128 : i32
    %levels:2 = scf.if %is -> (tensor<128x256xf32>, tensor<128x256xf32>) {
      %s = tile.binary add %sum2, %next : tensor<128x256xf32>
      llvm.store %own, %d : i32, !llvm.ptr
      scf.yield %init, %s : tensor<128x256xf32>, tensor<128x256xf32>
    } else {
      scf.yield %next, %sum2 : tensor<128x256xf32>, tensor<128x256xf32>
    }
    %more = arith.addi %own, %i : i32
    %larger = arith.addf %scale, %scale : f32
    scf.yield %levels#0, %levels#1, %more, %larger : tensor<128x256xf32>, tensor<128x256xf32>, i32, f32
  }
  %m = tile.binary add %c#0, %c#1 : tensor<128x256xf32>
  %by = tile.splat %c#3 : f32 -> tensor<128x256xf32>
  %o = tile.binary mul %m, %by : tensor<128x256xf32>
  tile.view_store %o, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c#2, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A local array that the loop reads for its sum is none that it may write.
// CHECK-LABEL: func.func @read_of_local
// CHECK: scf.for {{.*}} -> (tensor<256x256xf32>)
// CHECK-LABEL: func.func @write_of_local
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: llvm.store
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK-NOT: llvm.store
func.func @read_of_local(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %d: !llvm.ptr, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %array = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %other = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %block, %c128 : i32
  %rows = arith.muli %row, %row : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %at = llvm.load %array : !llvm.ptr -> i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%rows, %at) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%at, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    llvm.store %i, %array : i32, !llvm.ptr
    scf.yield %next : tensor<256x256xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%rows, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}
func.func @write_of_local(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %d: !llvm.ptr, %n: i32, %ld: i32, %block: i32) {
  %init = arith.constant dense<0.0> : tensor<256x256xf32>
  %array = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %other = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %block, %c128 : i32
  %rows = arith.muli %row, %row : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<256x256xf32>) : i32 {
    %at = llvm.load %array : !llvm.ptr -> i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%rows, %at) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%at, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32>
    llvm.store %i, %other : i32, !llvm.ptr
    scf.yield %next : tensor<256x256xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%rows, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<256x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Two products of an iteration are added to the same registers: these suffice.
// CHECK-LABEL: func.func @chain
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK-NOT: scf.for
func.func @chain(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %e: !llvm.ptr {tile.restrict}, %out: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32) {
  %init = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xtf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x32xtf32>
    %yt = tile.permute %y [1, 0] : tensor<256x32xtf32> -> tensor<32x256xtf32>
    %first = tile.mma %x, %yt, %sum : tensor<128x32xtf32>, tensor<32x256xtf32>, tensor<128x256xf32>
    %w = tile.view_load %d extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xtf32>
    %z = tile.view_load %e extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<256x32xtf32>
    %zt = tile.permute %z [1, 0] : tensor<256x32xtf32> -> tensor<32x256xtf32>
    %next = tile.mma %w, %zt, %first : tensor<128x32xtf32>, tensor<32x256xtf32>, tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  tile.view_store %c, %out extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0)
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x256xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

}
