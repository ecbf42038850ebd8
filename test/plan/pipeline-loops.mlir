// A counted loop that reads operands from views copies them ahead of their use, into a ring of shared-memory stages.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s

// Four stages of 4 KiB and 4 KiB: three groups of copies before the loop, a loop of their own; a fourth is started while the first is read.
// The last step of a sum that nothing else touches waits in registers for the next iteration.
// CHECK-LABEL: func.func @product
// CHECK: %[[BEGIN:.*]] = tile.mma_begin
// CHECK: %[[A:.*]] = tile.shared_alloc stages 4 : <64x32xf16, 2, 3, 3>
// CHECK: %[[B:.*]] = tile.shared_alloc stages 4 : <32x64xf16, 3, 3, 3>
// CHECK: scf.for %[[S:[^ ]*]] = %c0{{[^ ]*}} to %c3
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %[[S]], %arg2
// CHECK: %[[START:.*]] = arith.muli %[[S]], %c32
// CHECK: %[[TO:.*]] = tile.shared_slot %[[A]][%[[S]] : i32]
// CHECK: tile.copy_async %[[TO]], %arg0 extents(%{{.*}}, %{{.*}}) strides(%{{.*}}, %{{.*}}) starts(%{{.*}}, %[[START]]) when %[[EXISTS]]
// CHECK: tile.copy_async
// CHECK-NEXT: tile.commit_group
// CHECK-NEXT: } {tile.prologue}
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N:[^ ]*]] step %{{[^ ]*}} iter_args(%[[C:[^ ]*]] = %[[BEGIN]], %[[READ:[^ ]*]] = %c0{{[^ ]*}}, %[[FILL:[^ ]*]] = %c3{{[^ ]*}}) -> (tensor<64x64xf32>, i32, i32)
// CHECK: tile.wait_group 2
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]], %c3{{[^ ]*}} : i32
// CHECK: %[[IS_NUMBER:.*]] = arith.cmpi sle, %[[I]], %[[AHEAD]]
// CHECK: %[[IS_LESS:.*]] = arith.cmpi slt, %[[AHEAD]], %[[N]]
// CHECK: %[[EXISTS:.*]] = arith.andi %[[IS_NUMBER]], %[[IS_LESS]]
// CHECK: %[[START:.*]] = arith.muli %[[AHEAD]], %c32
// CHECK: %[[TO:.*]] = tile.shared_slot %[[A]][%[[FILL]] : i32]
// CHECK: tile.copy_async %[[TO]], %arg0 extents(%{{.*}}, %{{.*}}) strides(%{{.*}}, %{{.*}}) starts(%{{.*}}, %[[START]]) when %[[EXISTS]] ends %{{.*}} {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>}
// CHECK: tile.copy_async
// CHECK: tile.commit_group
// CHECK: %[[FROM_A:.*]] = tile.shared_slot %[[A]][%[[READ]] : i32]
// CHECK: %[[FROM_B:.*]] = tile.shared_slot %[[B]][%[[READ]] : i32]
// CHECK-NOT: tile.view_load
// CHECK-NOT: tile.shared_store
// CHECK: tile.shared_mma m16n8k16 %[[FROM_A]], %[[FROM_B]], %[[C]] {inFlight}
// CHECK-NOT: tile.mma_wait
// CHECK: scf.yield
// CHECK: tile.mma_finish
// CHECK: tile.wait_group 0
func.func @product(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// A sum that takes half of a thread's registers leaves none for a step beside tiles that wait for the loop's end.
// CHECK-LABEL: func.func @beside
// CHECK-NOT: tile.mma_begin
// CHECK: tile.shared_mma m16n8k16
// CHECK-NOT: inFlight
// CHECK: return
func.func @beside(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>, %v: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %waits = tile.cast %v : tensor<128x128xf32> -> tensor<128x128xbf16>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xf16>
    %sx = tile.shared_alloc : !tile.shared<128x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<128x32xf16>, !tile.shared<128x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x128xf16, 3, 3, 4>
    tile.shared_store %y, %sy : tensor<32x128xf16>, !tile.shared<32x128xf16, 3, 3, 4>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<128x32xf16, 2, 3, 3>, !tile.shared<32x128xf16, 3, 3, 4>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %later = tile.cast %waits : tensor<128x128xbf16> -> tensor<128x128xf32>
  return %c, %later : tensor<128x128xf32>, tensor<128x128xf32>
}

// What the loop writes might be what a copy ahead of its time reads.
// CHECK-LABEL: func.func @loop_writes
// CHECK-NOT: tile.copy_async
func.func @loop_writes(%a: !llvm.ptr, %out: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f32) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %out : f32, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// A number that grows by the same in every iteration is known ahead of time.
// CHECK-LABEL: func.func @carried_address
// CHECK: scf.for {{.*}} to %c3{{.*}} iter_args(%[[FIRST:.*]] = %c0_i32)
// CHECK: tile.copy_async %{{.*}}, %arg0 extents(%{{.*}}) strides(%{{.*}}) starts(%[[FIRST]], %c0_i32)
// CHECK: %[[FURTHER:.*]] = arith.addi %[[FIRST]], %arg1 : i32
// CHECK: scf.yield %[[FURTHER]]
// CHECK: scf.for {{.*}}iter_args(%{{.*}} = %{{.*}}, %[[ROW:.*]] = %c0_i32, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[GROWTH:.*]] = arith.muli %arg1, %c3_i32
// CHECK-NEXT: %[[LATER:.*]] = arith.addi %[[ROW]], %[[GROWTH]]
// CHECK: tile.copy_async %{{.*}}, %arg0 extents(%{{.*}}) strides(%{{.*}}) starts(%[[LATER]], %c0_i32)
func.func @carried_address(%a: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %row = %c0) -> (tensor<16x8xf32>, i32) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %further = arith.addi %row, %n : i32
    scf.yield %next, %further : tensor<16x8xf32>, i32
  }
  return %c#0 : tensor<16x8xf32>
}

// One that is multiplied in every iteration is not.
// CHECK-LABEL: func.func @multiplied_address
// CHECK-NOT: tile.copy_async
func.func @multiplied_address(%a: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %row = %c1) -> (tensor<16x8xf32>, i32) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %further = arith.muli %row, %n : i32
    scf.yield %next, %further : tensor<16x8xf32>, i32
  }
  return %c#0 : tensor<16x8xf32>
}

// Nor is one that grows by what the iteration computes, or that is taken from another number.
// CHECK-LABEL: func.func @uneven_address
// CHECK-NOT: tile.copy_async
func.func @uneven_address(%a: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %row = %c0, %column = %c0) -> (tensor<16x8xf32>, i32, i32) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%row, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %y = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%c0, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x8xf16>
    %sy = tile.shared_alloc : !tile.shared<16x8xf16, 0, 0, 0>
    tile.shared_store %y, %sy : tensor<16x8xf16>, !tile.shared<16x8xf16, 0, 0, 0>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %further = arith.addi %row, %i : i32
    %other = arith.subi %n, %column : i32
    scf.yield %next, %further, %other : tensor<16x8xf32>, i32, i32
  }
  return %c#0 : tensor<16x8xf32>
}

// A pointer that moves evenly is known ahead, too.
// CHECK-LABEL: func.func @moving_pointer
// CHECK: scf.for {{.*}} to %c3{{.*}} iter_args(%[[AT:.*]] = %arg0)
// CHECK: tile.copy_async %{{.*}}, %[[AT]] extents
// CHECK: %[[FURTHER:.*]] = llvm.getelementptr %[[AT]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK: scf.yield %[[FURTHER]]
// CHECK: scf.for {{.*}}iter_args(%{{.*}} = %{{.*}}, %[[P:.*]] = %arg0, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[LATER:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK: tile.copy_async %{{.*}}, %[[LATER]] extents
func.func @moving_pointer(%a: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %p = %a) -> (tensor<16x8xf32>, !llvm.ptr) : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, f16
    scf.yield %next, %q : tensor<16x8xf32>, !llvm.ptr
  }
  return %c#0 : tensor<16x8xf32>
}

// A quotient that is the same in every iteration is computed once, before the loop; one of the
// counter is computed ahead. Neither fails where the program does not come to it.
// CHECK-LABEL: func.func @quotients
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %arg1
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %arg2, %c0
// CHECK: %[[DIVIDES:.*]] = arith.andi %[[RUNS]], %[[ANY]]
// CHECK: %[[BY:.*]] = arith.select %[[DIVIDES]], %arg2, %c1
// CHECK: %[[ROW:.*]] = arith.divsi %arg3, %[[BY]]
// CHECK: tile.copy_async {{.*}} starts(%[[ROW]], %{{.*}})
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK-NOT: arith.divsi
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c3
// CHECK: %[[IS_NUMBER:.*]] = arith.cmpi sle, %[[I]], %[[LATER]]
// CHECK: %[[IS_LESS:.*]] = arith.cmpi slt, %[[LATER]], %arg1
// CHECK: %[[EXISTS:.*]] = arith.andi %[[IS_NUMBER]], %[[IS_LESS]]
// CHECK: %[[DIVIDES_2:.*]] = arith.andi %[[EXISTS]], %{{.*}}
// CHECK: %[[BY_2:.*]] = arith.select %[[DIVIDES_2]], %arg2, %c1
// CHECK: %[[COLUMN:.*]] = arith.remui %[[LATER]], %[[BY_2]]
// CHECK: tile.copy_async {{.*}} starts(%[[ROW]], %[[COLUMN]])
func.func @quotients(%a: !llvm.ptr, %n: i32, %d: i32, %tile: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %row = arith.divsi %tile, %d : i32
    %column = arith.remui %i, %d : i32
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%row, %column) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Copies fill with zeros only, along rows only, and a tile that is also read in registers stays where it is.
// CHECK-LABEL: func.func @not_a_copy
// CHECK-NOT: tile.copy_async
func.func @not_a_copy(%a: !llvm.ptr, %n: i32, %s: !tile.shared<16x16xf16, 1, 3, 3>, %init: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x16xf16>) : i32 {
    %nans = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding nan
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %s0 = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %nans, %s0 : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %strided = tile.view_load %a extents(%n, %n) strides(%n, %n) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, -1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %s1 = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %strided, %s1 : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %both = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %s2 = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %both, %s2 : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.binary add %both, %sum : tensor<16x16xf16>
    scf.yield %next : tensor<16x16xf16>
  }
  return %c : tensor<16x16xf16>
}

// An operand that is transposed for free is copied ahead like any other: what a pass leaves unused counts for nothing.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops %s | FileCheck %s --check-prefix=BOTH
// BOTH-LABEL: func.func @transposed
// BOTH-COUNT-4: tile.copy_async
// BOTH-NOT: tile.view_load
// BOTH: return
func.func @transposed(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %t = tile.permute %y [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %dead = tile.permute %x [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %next = tile.mma %x, %t, %sum : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// An operand is what is read in another shape: the copy has the box that is read. Where a second user
// takes it in any of its shapes, it reads the stage.
// CHECK-LABEL: func.func @other_shapes
// CHECK: %[[A:.*]] = tile.shared_alloc stages 4 : <64x32xf16, 2, 3, 3>
// CHECK: scf.for
// CHECK: tile.wait_group
// CHECK: %[[TO:.*]] = tile.shared_slot %[[A]]
// CHECK: tile.copy_async %[[TO]], %arg0 extents(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {{.*}} {access = #tile.access<8 along 3, aligned = false, bounds = [checked, checked, checked, checked]>, box = array<i64: 1, 4, 16, 32>} : <64x32xf16, 2, 3, 3>
// CHECK: tile.copy_async {{.*}}, %arg1 {{.*}} {access = #tile.access<8 along 2, aligned = false, bounds = [checked, checked, checked]>, box = array<i64: 1, 32, 64>} : <32x64xf16, 3, 3, 3>
// CHECK-NOT: tile.view_load
// CHECK: %[[AGAIN:.*]] = tile.shared_load %{{.*}} : <32x64xf16, 3, 3, 3> -> tensor<32x64xf16>
// CHECK: tile.shared_mma
// CHECK: scf.yield %{{.*}}, %[[AGAIN]]
func.func @other_shapes(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %init: tensor<64x64xf32>, %seen: tensor<32x64xf16>) -> (tensor<64x64xf32>, tensor<32x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %last = %seen) -> (tensor<64x64xf32>, tensor<32x64xf16>) : i32 {
    %x = tile.view_load %a extents(%n, %n, %n, %n) strides(%n, %n, %n, %c1) starts(%i, %c0, %c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1, -1, -1>, staticStrides = array<i64: -1, -1, -1, 1>} : (i32, i32, i32, i32) (i32, i32, i32, i32) (i32, i32, i32, i32) -> tensor<1x4x16x32xf16>
    %rows = tile.reshape %x : tensor<1x4x16x32xf16> -> tensor<4x16x32xf16>
    %operand = tile.reshape %rows : tensor<4x16x32xf16> -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%n, %n, %n) strides(%n, %n, %c1) starts(%i, %c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<1x32x64xf16>
    %other = tile.reshape %y : tensor<1x32x64xf16> -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %operand, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %other, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next, %other : tensor<64x64xf32>, tensor<32x64xf16>
  }
  return %c#0, %c#1 : tensor<64x64xf32>, tensor<32x64xf16>
}

// Of two multiplies one operand stays: with it three stages of 32 KiB leave no room for a second
// block, two do.
// CHECK-LABEL: func.func @beside_another_operand
// CHECK: tile.shared_alloc stages 2 : <64x128xf16, 3, 3, 4>
// CHECK: tile.shared_alloc stages 2 : <64x128xf16, 3, 3, 4>
// CHECK: tile.wait_group 0
func.func @beside_another_operand(%a: !llvm.ptr, %n: i32, %q: tensor<128x128xf16>, %init: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x64xf32>) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf16>
    %y = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xf16>
    %sq = tile.shared_alloc : !tile.shared<128x128xf16, 3, 3, 4>
    tile.shared_store %q, %sq : tensor<128x128xf16>, !tile.shared<128x128xf16, 3, 3, 4>
    %sx = tile.shared_alloc : !tile.shared<64x128xf16, 3, 3, 4>
    tile.shared_store %x, %sx : tensor<64x128xf16>, !tile.shared<64x128xf16, 3, 3, 4>
    %sy = tile.shared_alloc : !tile.shared<64x128xf16, 3, 3, 4>
    tile.shared_store %y, %sy : tensor<64x128xf16>, !tile.shared<64x128xf16, 3, 3, 4>
    %first = tile.shared_mma m16n8k16 %sq, %sx, %sum {bTransposed} : !tile.shared<128x128xf16, 3, 3, 4>, !tile.shared<64x128xf16, 3, 3, 4>, tensor<128x64xf32>
    %next = tile.shared_mma m16n8k16 %sq, %sy, %first {bTransposed} : !tile.shared<128x128xf16, 3, 3, 4>, !tile.shared<64x128xf16, 3, 3, 4>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  return %c : tensor<128x64xf32>
}

// Some iterations later a large step is beyond 32 bits: whether they take place is asked in 64.
// CHECK-LABEL: func.func @run_time_step
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N:[^ ]*]] step %[[STEP:[^ ]*]] iter_args
// CHECK: tile.wait_group 2
// CHECK-NOT: overflow<nsw> : i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[AHEAD:.*]] = arith.addi %[[WIDE]], %{{.*}} overflow<nsw> : i64
// CHECK: %[[END:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %[[AHEAD]], %[[END]] : i64
// CHECK: tile.copy_async {{.*}} when %[[EXISTS]]
func.func @run_time_step(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %step: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %step iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// A loop of one iteration is none for long, and has nothing to copy ahead.
// CHECK-LABEL: func.func @one_iteration
// CHECK-NOT: tile.wait_group
// CHECK-NOT: in_flight
// CHECK: return
func.func @one_iteration(%a: !llvm.ptr, %b: !llvm.ptr, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %c1 step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// Where an iteration ahead is a number of the loop's type whatever the bound is, that is not asked.
// CHECK-LABEL: func.func @bounded
// CHECK: %[[N:.*]] = arith.divui %arg1, %c32
// CHECK: scf.for {{.*}} to %c3
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N]]
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]], %c3{{.*}} overflow<nsw>
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi slt, %[[AHEAD]], %[[N]]
// CHECK-NOT: arith.andi
// CHECK: tile.copy_async {{.*}} when %[[EXISTS]]
func.func @bounded(%a: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %iterations = arith.divui %n, %c32 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// A read has its true reason wherever it stands: multiplied under a condition; read under one; in a
// loop that is not counted; in one of one iteration.
// CHECK-LABEL: func.func @elsewhere
// CHECK: tile.view_load {{.*}}waits = #tile.waits<condition>
// CHECK: tile.view_load {{.*}}waits = #tile.waits<branch>
// CHECK: scf.while
// CHECK: tile.view_load {{.*}}waits = #tile.waits<uncounted>
// CHECK: scf.for
// CHECK: tile.view_load {{.*}}waits = #tile.waits<once>
func.func @elsewhere(%a: !llvm.ptr, %n: i32, %is: i1, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %some = scf.if %is -> tensor<64x64xf32> {
      %y = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%c0, %i) padding zero
          {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
      %sx = tile.shared_alloc : !tile.shared<64x64xf16, 3, 3, 3>
      tile.shared_store %x, %sx : tensor<64x64xf16>, !tile.shared<64x64xf16, 3, 3, 3>
      %sy = tile.shared_alloc : !tile.shared<64x64xf16, 3, 3, 3>
      tile.shared_store %y, %sy : tensor<64x64xf16>, !tile.shared<64x64xf16, 3, 3, 3>
      %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x64xf16, 3, 3, 3>, !tile.shared<64x64xf16, 3, 3, 3>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } else {
      scf.yield %sum : tensor<64x64xf32>
    }
    scf.yield %some : tensor<64x64xf32>
  }
  %d = scf.while (%sum = %c) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
    scf.condition(%is) %sum : tensor<64x64xf32>
  } do {
  ^bb0(%sum: tensor<64x64xf32>):
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%n, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x64xf16, 3, 3, 3>
    tile.shared_store %x, %sx : tensor<64x64xf16>, !tile.shared<64x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sx, %sum : !tile.shared<64x64xf16, 3, 3, 3>, !tile.shared<64x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %e = scf.for %i = %c0 to %c1 step %c1 iter_args(%sum = %d) -> (tensor<64x64xf32>) : i32 {
    %x = tile.view_load %a extents(%n, %n) strides(%n, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x64xf16, 3, 3, 3>
    tile.shared_store %x, %sx : tensor<64x64xf16>, !tile.shared<64x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sx, %sum : !tile.shared<64x64xf16, 3, 3, 3>, !tile.shared<64x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %e : tensor<64x64xf32>
}
