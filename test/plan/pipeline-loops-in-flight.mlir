// The only multiply of warpgroups of a loop stays in flight where an SM has room for one block alone: its accumulator takes half of the registers.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops %s | FileCheck %s
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops --cse %s | FileCheck %s --check-prefix=CSE
// CSE-LABEL: func.func @two_sums
// CSE-COUNT-2: tile.mma_begin
// CSE: scf.for

module attributes {tile.target = #tile.target<"sm_90a">} {

// Four stages, copies two iterations ahead: the stage that they overwrite was read by the multiply before the last.
// CHECK-LABEL: func.func @large
// CHECK: %[[FIRST:.*]] = tile.mma_begin
// CHECK: tile.shared_alloc stages 4 : <128x64xbf16, panels>
// CHECK: tile.shared_alloc stages 4 : <64x256xbf16, panels>
// CHECK: scf.for {{.*}} to %c2
// CHECK: tile.commit_group
// CHECK-NEXT: } {tile.prologue}
// CHECK: %[[SUM:.*]]:3 = scf.for {{.*}} iter_args(%[[C:[^ ]*]] = %[[FIRST]], %{{[^ ]*}} = %c0{{[^ ]*}}, %{{[^ ]*}} = %c2
// CHECK: tile.wait_group 1
// CHECK: tile.commit_group
// CHECK: %[[NEXT:.*]] = tile.shared_mma wgmma %{{.*}}, %{{.*}}, %[[C]] {inFlight}
// CHECK-NEXT: tile.mma_wait 1
// CHECK: scf.yield %[[NEXT]],
// CHECK: %[[ALL:.*]] = tile.mma_finish %[[SUM]]#0
// CHECK-NEXT: tile.wait_group 0
// CHECK: return %[[ALL]]
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

// A block that the program wants alone has the stages that shared memory has room for, up to eight.
// CHECK-LABEL: func.func @alone
// CHECK: tile.mma_begin
// CHECK: tile.shared_alloc stages 8 : <64x64xbf16, panels>
// CHECK: tile.shared_alloc stages 8 : <64x128xbf16, panels>
// CHECK: scf.for {{.*}} to %c6
// CHECK: tile.commit_group
// CHECK-NEXT: } {tile.prologue}
// CHECK: scf.for {{.*}} = %c6
// CHECK: tile.wait_group 5
// CHECK: tile.mma_wait 1
func.func @alone(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {tile.occupancy = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  return %c : tensor<64x128xf32>
}

// Where there are few blocks, each has as many stages as leave room for as many blocks as four stages would.
// CHECK-LABEL: func.func @few
// CHECK: tile.mma_begin
// CHECK: tile.shared_alloc stages 4 : <64x64xbf16, panels>
// CHECK: tile.shared_alloc stages 4 : <64x128xbf16, panels>
// CHECK: scf.for {{.*}} to %c2
// CHECK: tile.commit_group
// CHECK-NEXT: } {tile.prologue}
// CHECK: scf.for {{.*}} = %c2
// CHECK: tile.wait_group 1
// CHECK: tile.mma_wait 1
func.func @few(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {tile.cycles = 640 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  return %c : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @few_large
// CHECK: tile.mma_begin
// CHECK: tile.shared_alloc stages 7 : <128x64xbf16, panels>
// CHECK: tile.shared_alloc stages 7 : <64x128xbf16, panels>
// CHECK: scf.for {{.*}} to %c5
// CHECK: tile.commit_group
// CHECK-NEXT: } {tile.prologue}
// CHECK: scf.for {{.*}} = %c5
// CHECK-NEXT: tile.wait_group 4
// CHECK: tile.mma_wait 1
func.func @few_large(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {tile.cycles = 1024 : i64} {
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

// Two sums that share an operand: each multiply waits for the one before, the last one stays in flight.
// CHECK-LABEL: func.func @two_sums
// CHECK: %[[FIRST:.*]] = tile.mma_begin
// CHECK: %[[SECOND:.*]] = tile.mma_begin
// CHECK: tile.shared_alloc stages 4 : <128x64xbf16, panels>
// CHECK: tile.shared_alloc stages 4 : <64x128xbf16, panels>
// CHECK: tile.shared_alloc stages 4 : <64x128xbf16, panels>
// CHECK: scf.for {{.*}} to %c2
// CHECK: tile.commit_group
// CHECK-NEXT: } {tile.prologue}
// CHECK: %[[SUM:.*]]:4 = scf.for {{.*}} iter_args(%[[C:[^ ]*]] = %[[FIRST]], %[[D:[^ ]*]] = %[[SECOND]], %{{[^ ]*}} = %c0{{[^ ]*}}, %{{[^ ]*}} = %c2
// CHECK: tile.wait_group 1
// CHECK: tile.shared_mma wgmma %[[X:.*]], %{{.*}}, %[[C]] {inFlight}
// CHECK-NEXT: tile.mma_wait 1
// CHECK-NEXT: tile.shared_mma wgmma %[[X]], %{{.*}}, %[[D]] {inFlight}
// CHECK-NEXT: tile.mma_wait 1
// CHECK: tile.mma_finish %[[SUM]]#0
// CHECK-NEXT: tile.mma_finish %[[SUM]]#1
// CHECK-NEXT: tile.wait_group 0
func.func @two_sums(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c:2 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %sum2 = %init) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %z = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c64) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %next2 = tile.mma %x, %z, %sum2 : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next, %next2 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  return %c#0, %c#1 : tensor<128x128xf32>, tensor<128x128xf32>
}

// Where one looks at what the other has, both are waited for.
// CHECK-LABEL: func.func @crossed
// CHECK-NOT: inFlight
// CHECK: return
func.func @crossed(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c:2 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init, %sum2 = %init) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %z = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c64) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    %next2 = tile.mma %x, %z, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next, %next2 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  return %c#0, %c#1 : tensor<128x128xf32>, tensor<128x128xf32>
}

// A sum that the loop looks at is waited for. So is one that two blocks with three stages have room for, behind the copies that threads make meanwhile.
// CHECK-LABEL: func.func @seen
// CHECK-NOT: inFlight
// CHECK-LABEL: func.func @small
// CHECK: tile.wait_group 1
// CHECK: tile.shared_mma wgmma {{.*}} {inFlight}
// CHECK: tile.copy_async
// CHECK: tile.copy_async
// CHECK-NEXT: tile.commit_group
// CHECK-NEXT: tile.mma_wait 0
// CHECK: tile.mma_finish
// CHECK: return
func.func @seen(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    %twice = tile.binary add %next, %next : tensor<128x256xf32>
    scf.yield %twice : tensor<128x256xf32>
  }
  return %c : tensor<128x256xf32>
}
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

// Two blocks with four stages of 12 KiB: in flight. Two with two stages of 40 KiB: waited for.
// CHECK-LABEL: func.func @short
// CHECK: tile.shared_alloc stages 4 : <64x32xbf16, panels>
// CHECK: tile.shared_mma wgmma {{.*}} {inFlight}
// CHECK: tile.mma_finish
// CHECK-LABEL: func.func @wide
// CHECK: tile.shared_alloc stages 2 : <64x64xbf16, panels>
// CHECK-NOT: inFlight
// CHECK: return
func.func @short(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %init) -> (tensor<64x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<64x32xbf16>, tensor<32x128xbf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  return %c : tensor<64x128xf32>
}
func.func @wide(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<64x256xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x256xbf16>
    %next = tile.mma %x, %y, %sum : tensor<64x64xbf16>, tensor<64x256xbf16>, tensor<64x256xf32>
    scf.yield %next : tensor<64x256xf32>
  }
  return %c : tensor<64x256xf32>
}

// Nothing stays in flight beside a call.
// CHECK-LABEL: func.func @printing
// CHECK-NOT: inFlight
func.func @printing(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x256xf32>) -> tensor<128x256xf32> {
  tile.print "%d\n"(%n) : i32
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

}
