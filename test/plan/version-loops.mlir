// Loops of mma.sync that leave a step to the next iteration copy without branches where their views are aligned.
// RUN: %tessera-opt --tile-version-loops %s | FileCheck %s
// RUN: %tessera-opt --tile-version-loops --tile-insert-barriers %s | FileCheck %s --check-prefix=BARRIER

// Whether they are is asked before the loop; copies follow the multiply. Iterations of the other loop multiply their last step themselves.
// CHECK-LABEL: func.func @both
// CHECK: %[[A:.*]] = tile.allows_chunks %arg0 of f16
// CHECK: %[[B:.*]] = tile.allows_chunks %arg1 of f16
// CHECK: %[[ARE:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: %[[SUM:.*]] = scf.if %[[ARE]]
// CHECK: tile.mma_begin
// CHECK: scf.for
// CHECK-NOT: tile.copy_async
// CHECK: tile.shared_mma
// CHECK-NEXT: tile.copy_async {{.*}}aligned = true{{.*}}straight
// CHECK-NEXT: tile.copy_async {{.*}}aligned = true{{.*}}straight
// CHECK-NEXT: tile.commit_group
// CHECK: tile.mma_finish
// CHECK: } else {
// CHECK-NOT: tile.mma_begin
// CHECK: scf.for
// CHECK: tile.copy_async {{.*}}aligned = false
// CHECK-NOT: straight
// CHECK-NOT: inFlight
// CHECK: tile.shared_mma
// CHECK-NOT: tile.mma_finish
// CHECK: return %[[SUM]]

// The stage that they fill is another one than is read in this iteration: one barrier an iteration is enough.
// BARRIER-LABEL: func.func @both
// BARRIER: scf.for
// BARRIER-NEXT: tile.wait_group 1
// BARRIER-NEXT: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: } else {
// BARRIER: scf.for
// BARRIER-NEXT: tile.wait_group 1
// BARRIER-NEXT: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: tile.wait_group 0
func.func @both(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %s: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %ra = tile.shared_alloc stages 3 {offset = 0 : i64} : <64x32xf16, 2, 3, 3>
  %rb = tile.shared_alloc stages 3 {offset = 12288 : i64} : <32x64xf16, 3, 3, 3>
  %begin = tile.mma_begin %init : tensor<64x64xf32>
  %c:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begin, %read = %c0, %fill = %c2) -> (tensor<64x64xf32>, i32, i32) : i32 {
    tile.wait_group 1
    %later = arith.addi %i, %c2 overflow<nsw> : i32
    %exists = arith.cmpi slt, %later, %n : i32
    %k = arith.muli %later, %c32 : i32
    %ta = tile.shared_slot %ra[%fill : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    tile.copy_async %ta, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    %tb = tile.shared_slot %rb[%fill : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    tile.copy_async %tb, %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<32x64xf16, 3, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    tile.commit_group
    %sa = tile.shared_slot %ra[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %sb = tile.shared_slot %rb[%read : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sa, %sb, %sum {inFlight} : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %read1 = arith.addi %read, %c1 overflow<nsw> : i32
    %isLastRead = arith.cmpi eq, %read, %c2 : i32
    %nextRead = arith.select %isLastRead, %c0, %read1 : i32
    %fill1 = arith.addi %fill, %c1 overflow<nsw> : i32
    %isLastFill = arith.cmpi eq, %fill, %c2 : i32
    %nextFill = arith.select %isLastFill, %c0, %fill1 : i32
    scf.yield %next, %nextRead, %nextFill : tensor<64x64xf32>, i32, i32
  }
  %all = tile.mma_finish %c#0 : tensor<64x64xf32>
  tile.wait_group 0
  return %all : tensor<64x64xf32>
}

// Only what is not proven is asked.
// CHECK-LABEL: func.func @one
// CHECK: %[[A:.*]] = tile.allows_chunks %arg0 of f16
// CHECK-NOT: tile.allows_chunks
// CHECK: scf.if %[[A]]
func.func @one(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %s: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %ra = tile.shared_alloc stages 3 {offset = 0 : i64} : <64x32xf16, 2, 3, 3>
  %rb = tile.shared_alloc stages 3 {offset = 12288 : i64} : <32x64xf16, 3, 3, 3>
  %begin = tile.mma_begin %init : tensor<64x64xf32>
  %c:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begin, %read = %c0, %fill = %c2) -> (tensor<64x64xf32>, i32, i32) : i32 {
    tile.wait_group 1
    %later = arith.addi %i, %c2 overflow<nsw> : i32
    %exists = arith.cmpi slt, %later, %n : i32
    %k = arith.muli %later, %c32 : i32
    %ta = tile.shared_slot %ra[%fill : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    tile.copy_async %ta, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    %tb = tile.shared_slot %rb[%fill : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    tile.copy_async %tb, %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) when %exists {access = #tile.access<8 along 1, aligned = true, bounds = [checked, checked]>} : !tile.shared<32x64xf16, 3, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    tile.commit_group
    %sa = tile.shared_slot %ra[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %sb = tile.shared_slot %rb[%read : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sa, %sb, %sum {inFlight} : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %read1 = arith.addi %read, %c1 overflow<nsw> : i32
    %isLastRead = arith.cmpi eq, %read, %c2 : i32
    %nextRead = arith.select %isLastRead, %c0, %read1 : i32
    %fill1 = arith.addi %fill, %c1 overflow<nsw> : i32
    %isLastFill = arith.cmpi eq, %fill, %c2 : i32
    %nextFill = arith.select %isLastFill, %c0, %fill1 : i32
    scf.yield %next, %nextRead, %nextFill : tensor<64x64xf32>, i32, i32
  }
  %all = tile.mma_finish %c#0 : tensor<64x64xf32>
  tile.wait_group 0
  return %all : tensor<64x64xf32>
}

// A box that may start anywhere has chunks that no test before the loop knows of.
// CHECK-LABEL: func.func @any_start
// CHECK-NOT: scf.if
// CHECK-NOT: inFlight
// CHECK-NOT: straight
// CHECK: return
func.func @any_start(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %s: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %ra = tile.shared_alloc stages 3 {offset = 0 : i64} : <64x32xf16, 2, 3, 3>
  %rb = tile.shared_alloc stages 3 {offset = 12288 : i64} : <32x64xf16, 3, 3, 3>
  %begin = tile.mma_begin %init : tensor<64x64xf32>
  %c:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begin, %read = %c0, %fill = %c2) -> (tensor<64x64xf32>, i32, i32) : i32 {
    tile.wait_group 1
    %later = arith.addi %i, %c2 overflow<nsw> : i32
    %exists = arith.cmpi slt, %later, %n : i32
    %k = arith.muli %later, %c32 : i32
    %ta = tile.shared_slot %ra[%fill : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    tile.copy_async %ta, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %s) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    %tb = tile.shared_slot %rb[%fill : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    tile.copy_async %tb, %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<32x64xf16, 3, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    tile.commit_group
    %sa = tile.shared_slot %ra[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %sb = tile.shared_slot %rb[%read : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sa, %sb, %sum {inFlight} : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %read1 = arith.addi %read, %c1 overflow<nsw> : i32
    %isLastRead = arith.cmpi eq, %read, %c2 : i32
    %nextRead = arith.select %isLastRead, %c0, %read1 : i32
    %fill1 = arith.addi %fill, %c1 overflow<nsw> : i32
    %isLastFill = arith.cmpi eq, %fill, %c2 : i32
    %nextFill = arith.select %isLastFill, %c0, %fill1 : i32
    scf.yield %next, %nextRead, %nextFill : tensor<64x64xf32>, i32, i32
  }
  %all = tile.mma_finish %c#0 : tensor<64x64xf32>
  tile.wait_group 0
  return %all : tensor<64x64xf32>
}

// Slots that begin alike are one in every iteration.
// BARRIER-LABEL: func.func @same_slot
// BARRIER: scf.for
// BARRIER: tile.shared_mma
// BARRIER-NEXT: tile.barrier
// BARRIER-NEXT: tile.copy_async
func.func @same_slot(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %s: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %ra = tile.shared_alloc stages 3 {offset = 0 : i64} : <64x32xf16, 2, 3, 3>
  %rb = tile.shared_alloc stages 3 {offset = 12288 : i64} : <32x64xf16, 3, 3, 3>
  %begin = tile.mma_begin %init : tensor<64x64xf32>
  %c:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begin, %read = %c0, %fill = %c0) -> (tensor<64x64xf32>, i32, i32) : i32 {
    tile.wait_group 1
    %later = arith.addi %i, %c2 overflow<nsw> : i32
    %exists = arith.cmpi slt, %later, %n : i32
    %k = arith.muli %later, %c32 : i32
    %ta = tile.shared_slot %ra[%fill : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    tile.copy_async %ta, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) when %exists {access = #tile.access<8 along 1, aligned = true, bounds = [checked, checked]>} : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    %tb = tile.shared_slot %rb[%fill : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    tile.copy_async %tb, %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) when %exists {access = #tile.access<8 along 1, aligned = true, bounds = [checked, checked]>} : !tile.shared<32x64xf16, 3, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    tile.commit_group
    %sa = tile.shared_slot %ra[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %sb = tile.shared_slot %rb[%read : i32] : !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sa, %sb, %sum {inFlight} : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %read1 = arith.addi %read, %c1 overflow<nsw> : i32
    %isLastRead = arith.cmpi eq, %read, %c2 : i32
    %nextRead = arith.select %isLastRead, %c0, %read1 : i32
    %fill1 = arith.addi %fill, %c1 overflow<nsw> : i32
    %isLastFill = arith.cmpi eq, %fill, %c2 : i32
    %nextFill = arith.select %isLastFill, %c0, %fill1 : i32
    scf.yield %next, %nextRead, %nextFill : tensor<64x64xf32>, i32, i32
  }
  %all = tile.mma_finish %c#0 : tensor<64x64xf32>
  tile.wait_group 0
  return %all : tensor<64x64xf32>
}

// Rows of aligned views lie as they are to be: nothing is shifted there. Of the same view it is asked once.
// CHECK-LABEL: func.func @ends
// CHECK-COUNT-1: tile.allows_chunks %arg0
// CHECK-NOT: tile.allows_chunks
// CHECK: scf.if
// CHECK-NOT: tile.shift_rows
// CHECK-NOT: ends
// CHECK: tile.copy_async {{.*}}straight
// CHECK-NEXT: tile.copy_async {{.*}}straight
// CHECK-NOT: tile.shift_rows
// CHECK: } else {
// CHECK: tile.wait_group 1
// CHECK-NEXT: tile.shift_rows {{.*}} ends
// CHECK: tile.copy_async {{.*}} ends
// CHECK: tile.copy_async
// CHECK: return

// BARRIER-LABEL: func.func @ends
// BARRIER: scf.for
// BARRIER: tile.wait_group 1
// BARRIER-NEXT: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: } else {
// BARRIER: tile.wait_group 1
// BARRIER-NEXT: tile.shift_rows
// BARRIER-NEXT: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: tile.wait_group 0
func.func @ends(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %s: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %ra = tile.shared_alloc stages 3 {offset = 0 : i64} : <64x32xf16, 2, 3, 3>
  %rb = tile.shared_alloc stages 3 {offset = 12288 : i64} : <64x32xf16, 2, 3, 3>
  %re = tile.shared_alloc stages 3 {offset = 24576 : i64} : <256xi32, 0, 0, 0>
  %begin = tile.mma_begin %init : tensor<64x64xf32>
  %c:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begin, %read = %c0, %fill = %c2) -> (tensor<64x64xf32>, i32, i32) : i32 {
    %here = arith.muli %i, %c32 : i32
    %da = tile.shared_slot %ra[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %de = tile.shared_slot %re[%read : i32] : !tile.shared<256xi32, 0, 0, 0>
    tile.wait_group 1
    tile.shift_rows %da, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %here) ends %de : !tile.shared<256xi32, 0, 0, 0> : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    %later = arith.addi %i, %c2 overflow<nsw> : i32
    %exists = arith.cmpi slt, %later, %n : i32
    %k = arith.muli %later, %c32 : i32
    %ta = tile.shared_slot %ra[%fill : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %te = tile.shared_slot %re[%fill : i32] : !tile.shared<256xi32, 0, 0, 0>
    tile.copy_async %ta, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) when %exists ends %te : !tile.shared<256xi32, 0, 0, 0> {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    %tb = tile.shared_slot %rb[%fill : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    tile.copy_async %tb, %a extents(%ld, %ld) strides(%ld, %c1) starts(%c32, %k) when %exists {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x32xf16, 2, 3, 3> (i32, i32) (i32, i32) (i32, i32)
    tile.commit_group
    %sa = tile.shared_slot %ra[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %sb = tile.shared_slot %rb[%read : i32] : !tile.shared<64x32xf16, 2, 3, 3>
    %next = tile.shared_mma m16n8k16 %sa, %sb, %sum {inFlight, bTransposed} : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<64x32xf16, 2, 3, 3>, tensor<64x64xf32>
    %read1 = arith.addi %read, %c1 overflow<nsw> : i32
    %isLastRead = arith.cmpi eq, %read, %c2 : i32
    %nextRead = arith.select %isLastRead, %c0, %read1 : i32
    %fill1 = arith.addi %fill, %c1 overflow<nsw> : i32
    %isLastFill = arith.cmpi eq, %fill, %c2 : i32
    %nextFill = arith.select %isLastFill, %c0, %fill1 : i32
    scf.yield %next, %nextRead, %nextFill : tensor<64x64xf32>, i32, i32
  }
  %all = tile.mma_finish %c#0 : tensor<64x64xf32>
  tile.wait_group 0
  return %all : tensor<64x64xf32>
}
