// Loops whose multiplies take less than 128 bytes of K take several iterations at once; what is left is a loop as before.
// RUN: %tessera-opt --tile-unroll-along-k %s | FileCheck %s
// RUN: sed 's/sm_90a/sm_80/' %s | %tessera-opt --tile-unroll-along-k | FileCheck %s --check-prefix=SM80
// RUN: %tessera-opt --tile-unroll-along-k --tile-select-mma-instructions --tile-subtile-k --tile-pipeline-loops %s | FileCheck %s --check-prefix=RING

module attributes {tile.target = #tile.target<"sm_90a">} {

// Any number of iterations: two at once, then one if there is one. It has no ring.
// CHECK-LABEL: func.func @any
// CHECK: %[[RUNS:.*]] = arith.cmpi sgt, %arg2, %c0
// CHECK: %[[EVEN:.*]] = arith.andi %arg2, %c-2
// CHECK: %[[END:.*]] = arith.select %[[RUNS]], %[[EVEN]], %c0
// CHECK: %[[SUM:.*]] = scf.for %[[I:[^ ]*]] = %c0{{[^ ]*}} to %[[END]] step %c2{{[^ ]*}} iter_args(%[[C:[^ ]*]] = %arg4)
// CHECK: %[[K:.*]] = arith.muli %[[I]], %c32
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}} starts(%c0{{[^ ]*}}, %[[K]]) {{.*}} -> tensor<128x64xbf16>
// CHECK: %[[Y:.*]] = tile.view_load %arg1 {{.*}} starts(%[[K]], %c0{{[^ ]*}}) {{.*}} -> tensor<64x128xbf16>
// CHECK: tile.mma %[[X]], %[[Y]], %[[C]]
// CHECK: scf.for %{{[^ ]*}} = %[[END]] to %arg2 step %c1{{[^ ]*}} iter_args(%{{[^ ]*}} = %[[SUM]])
// CHECK: tile.mma {{.*}} tensor<128x32xbf16>
// CHECK: } {tile.few_iterations}
// RING-LABEL: func.func @any
// RING: tile.shared_alloc stages 3 : <128x64xbf16, panels>
// RING: tile.wait_group 0
// RING: scf.for
// RING-NOT: tile.wait_group
// RING: tile.shared_alloc : <128x32xbf16, panels>
// RING: return
// Two blocks of 128x128x64 have no room for three stages there.
// SM80-LABEL: func.func @any
// SM80: tile.mma {{.*}} tensor<128x32xbf16>
// SM80-NOT: tile.mma
// SM80-LABEL: func.func @whole
func.func @any(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Iterations to the end of what is read: behind it there are zeros, which add nothing to a sum that begins as zero.
// CHECK-LABEL: func.func @whole
// CHECK: scf.for %{{.*}} = %c0{{[^ ]*}} to %{{.*}} step %c2
// CHECK: tile.mma {{.*}} tensor<128x64xbf16>
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @whole_by_elements
// CHECK: scf.for %{{.*}} = %c0{{[^ ]*}} to %arg2 step %c64
// CHECK: tile.mma {{.*}} tensor<128x64xbf16>
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @whole_begun
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {tile.few_iterations}
// Another extent may end later.
// CHECK-LABEL: func.func @whole_of_one
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {tile.few_iterations}
func.func @whole(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %iterations = tile.binary ceildiv %n, %c32 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %zero) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %n) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%n, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @whole_by_elements(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %c = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %zero) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %n) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%n, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @whole_begun(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %iterations = tile.binary ceildiv %n, %c32 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %n) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%n, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @whole_of_one(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %iterations = tile.binary ceildiv %n, %c32 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %zero) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %n) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Known numbers of iterations, and one that is known to be even.
// CHECK-LABEL: func.func @five
// CHECK: scf.for %{{.*}} = %c0{{[^ ]*}} to %c4{{[^ ]*}} step %c2
// CHECK: scf.for %{{.*}} = %c4{{[^ ]*}} to %c5{{[^ ]*}} step %c1
// CHECK-LABEL: func.func @six
// CHECK: scf.for %{{.*}} = %c0{{[^ ]*}} to %c6{{[^ ]*}} step %c2
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @one
// CHECK: tile.mma {{.*}} tensor<128x32xbf16>
// CHECK-NOT: tile.mma
// CHECK-LABEL: func.func @even
// CHECK: scf.for %{{.*}} = %c0{{[^ ]*}} to %{{.*}} step %c2
// CHECK-NOT: scf.for
func.func @five(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %iterations = arith.constant 5 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @six(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %iterations = arith.constant 6 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @one(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %iterations = arith.constant 1 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @even(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %m = tile.assume %n {divisible = 64 : i64} : i32
  %iterations = arith.divsi %m, %c32 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Bytes, whose rows lie along K: four iterations. Of the second operand K is the last dimension before it is transposed.
// CHECK-LABEL: func.func @bytes
// CHECK: arith.andi %arg2, %c-4
// CHECK: scf.for %{{.*}} step %c4
// CHECK: %[[Y:.*]] = tile.view_load %arg1 {{.*}} -> tensor<128x128xi8>
// CHECK: %[[T:.*]] = tile.permute %[[Y]] [1, 0] : tensor<128x128xi8> -> tensor<128x128xi8>
// CHECK: tile.mma %{{.*}}, %[[T]], %{{.*}} : tensor<64x128xi8>, tensor<128x128xi8>
func.func @bytes(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x128xi32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xi8>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xi8>
    %yt = tile.permute %y [1, 0] : tensor<128x32xi8> -> tensor<32x128xi8>
    %next = tile.mma %x, %yt, %sum : tensor<64x32xi8>, tensor<32x128xi8>, tensor<64x128xi32>
    scf.yield %next : tensor<64x128xi32>
  }
  return %c : tensor<64x128xi32>
}

// From any iteration on: the starts are seen not to be below 0, and not to wrap, or no iterations are taken together.
// CHECK-LABEL: func.func @from
// CHECK-DAG: %[[COUNT:.*]] = arith.subi %arg3, %arg2
// CHECK-DAG: %[[FIRST:.*]] = arith.muli %arg2, %c32
// CHECK-DAG: %[[WIDE:.*]] = arith.extui %[[FIRST]] : i32 to i64
// CHECK-DAG: arith.cmpi ule, %[[WIDE]], %c2147483648
// CHECK: %[[END:.*]] = arith.select %{{.*}}, %{{.*}}, %arg2
// CHECK: scf.for %{{.*}} = %arg2 to %[[END]] step %c2
// CHECK: scf.for %{{.*}} = %[[END]] to %arg3 step %c1
func.func @from(%a: !llvm.ptr, %b: !llvm.ptr, %lo: i32, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %lo to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// A number that is carried moves by two iterations, and may be what says where boxes start.
// CHECK-LABEL: func.func @carried
// CHECK: %[[ALL:.*]]:2 = scf.for %{{.*}} step %c2{{[^ ]*}} iter_args(%[[AT:[^ ]*]] = %c0{{[^ ]*}}, %{{.*}} = %arg4)
// CHECK: tile.view_load %arg0 {{.*}} starts(%c0{{[^ ]*}}, %[[AT]]) {{.*}} -> tensor<128x64xbf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c64
// CHECK: scf.yield %[[NEXT]],
// CHECK: scf.for {{.*}} iter_args(%[[AT:[^ ]*]] = %[[ALL]]#0, %{{.*}} = %[[ALL]]#1)
// CHECK: tile.view_load %arg0 {{.*}} starts(%c0{{[^ ]*}}, %[[AT]]) {{.*}} -> tensor<128x32xbf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c32
func.func @carried(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %end, %c = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0, %sum = %init) -> (i32, tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %at) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%at, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    %later = arith.addi %at, %c32 : i32
    scf.yield %later, %next : i32, tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Two sums share an operand.
// CHECK-LABEL: func.func @two
// CHECK: %[[X:.*]] = tile.view_load %arg0 {{.*}} -> tensor<128x64xbf16>
// CHECK: tile.mma %[[X]], {{.*}} tensor<64x64xbf16>
// CHECK: tile.mma %[[X]], {{.*}} tensor<64x64xbf16>
// CHECK: scf.yield
// CHECK: tile.few_iterations
func.func @two(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c, %d = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %other = %init) -> (tensor<128x64xf32>, tensor<128x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32>
    %z = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c32) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xbf16>
    %more = tile.mma %x, %z, %other : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32>
    scf.yield %next, %more : tensor<128x64xf32>, tensor<128x64xf32>
  }
  return %c : tensor<128x64xf32>
}

// An operand that is computed of what is read and of what is the same all along K.
// CHECK-LABEL: func.func @computed
// CHECK: %[[Y:.*]] = tile.view_load %arg1 {{.*}} -> tensor<64x128xi8>
// CHECK: %[[CAST:.*]] = tile.cast %[[Y]] : tensor<64x128xi8> -> tensor<64x128xbf16>
// CHECK: %[[SCALE:.*]] = tile.splat %{{.*}} : bf16 -> tensor<64x128xbf16>
// CHECK: %[[SCALED:.*]] = tile.binary mul %[[CAST]], %[[SCALE]]
// CHECK: %[[BIAS:.*]] = tile.broadcast %{{.*}} : tensor<1x128xbf16> -> tensor<64x128xbf16>
// CHECK: tile.binary add %[[SCALED]], %[[BIAS]]
func.func @computed(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %s = arith.constant 2.0 : bf16
  %scale = tile.splat %s : bf16 -> tensor<32x128xbf16>
  %row = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<1x128xbf16>
  %bias = tile.broadcast %row : tensor<1x128xbf16> -> tensor<32x128xbf16>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xi8>
    %y1 = tile.cast %y : tensor<32x128xi8> -> tensor<32x128xbf16>
    %y2 = tile.binary mul %y1, %scale : tensor<32x128xbf16>
    %y3 = tile.binary add %y2, %bias : tensor<32x128xbf16>
    %next = tile.mma %x, %y3, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Batches of one matrix.
// CHECK-LABEL: func.func @batch
// CHECK: tile.view_load {{.*}} -> tensor<1x128x64xbf16>
// CHECK: tile.reshape {{.*}} : tensor<1x128x64xbf16> -> tensor<128x64xbf16>
func.func @batch(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x3 = tile.view_load %a extents(%ld, %ld, %ld) strides(%ld, %ld, %c1) starts(%c1, %c0, %k) padding zero
        {staticExtents = array<i64: -1, -1, -1>, staticStrides = array<i64: -1, -1, 1>} : (i32, i32, i32) (i32, i32, i32) (i32, i32, i32) -> tensor<1x128x32xbf16>
    %x = tile.reshape %x3 : tensor<1x128x32xbf16> -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Small products of mma.sync have room for two blocks.
// SM80-LABEL: func.func @small
// SM80: tile.mma {{.*}} tensor<64x64xbf16>
// CHECK-LABEL: func.func @small
// CHECK: tile.mma {{.*}} tensor<64x64xbf16>
func.func @small(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x64xbf16>
    %next = tile.mma %x, %y, %sum : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}

// Left alone: boxes that overlap; an operand that does not move; one whose place is elsewhere in every iteration, along the
// other dimension; multiplies that take 128 bytes already; a sum that is looked at; a tile that is stored beside; what
// no tensor core takes; what is padded with something else.

// CHECK-LABEL: func.func @overlap
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @overlap(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @still
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @still(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %c32) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @elsewhere(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%k, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @deep
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @deep(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %c64 = arith.constant 64 : i32
    %k = arith.muli %i, %c64 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @seen
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @seen(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    %twice = tile.binary add %next, %next : tensor<128x128xf32>
    scf.yield %twice : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @stored
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @stored(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    tile.view_store %x, %b extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x32xbf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @floats
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @floats(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x16xf32>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x128xf32>
    %next = tile.mma %x, %y, %sum : tensor<128x16xf32>, tensor<16x128xf32>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// CHECK-LABEL: func.func @padded
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: few_iterations
func.func @padded(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding nan
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding nan
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// What the loop does besides, for each iteration: two iterations that are there; then the one that is left.
// CHECK-LABEL: func.func @written
// CHECK: scf.for %[[I:[^ ]*]] = %c0{{[^ ]*}} to %{{[^ ]*}} step %c2{{.*}} -> (tensor<128x128xf32>, f32)
// CHECK: tile.mma {{.*}} tensor<128x64xbf16>
// CHECK: %[[ONE:.*]] = arith.mulf %{{.*}}, %[[HALF:.*]] : f32
// CHECK: llvm.store %[[ONE]]
// CHECK: %[[TWO:.*]] = arith.mulf %[[ONE]], %[[HALF]] : f32
// CHECK: llvm.store %[[TWO]]
// CHECK: scf.yield %{{.*}}, %[[TWO]] : tensor<128x128xf32>, f32
// CHECK: scf.for
// CHECK: llvm.store
// CHECK-NOT: llvm.store
// CHECK: } {tile.few_iterations}
func.func @written(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %half = arith.constant 0.5 : f32
  %c, %last = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %left = %half) -> (tensor<128x128xf32>, f32) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    %less = arith.mulf %left, %half : f32
    %at = llvm.getelementptr %d[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %less, %at : f32, !llvm.ptr
    scf.yield %next, %less : tensor<128x128xf32>, f32
  }
  return %c : tensor<128x128xf32>
}

// Iterations to the end of what is read: the last one may not be there, and writes nothing then.
// CHECK-LABEL: func.func @written_to_the_end
// CHECK: scf.for %[[I:[^ ]*]] = %c0{{[^ ]*}} to %[[END:[^ ]*]] step %c2
// CHECK: llvm.store %[[I]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[NEXT]], %[[END]]
// CHECK: scf.if %[[THERE]] {
// CHECK: llvm.store %[[NEXT]]
// CHECK-NOT: scf.for
// A result that a store takes is one of each iteration: no iterations together.
// CHECK-LABEL: func.func @sum_stored
// CHECK: tile.mma {{.*}} tensor<128x32xbf16>
// CHECK-NOT: tile.mma
func.func @written_to_the_end(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %iterations = tile.binary ceildiv %n, %c32 : i32
  %c = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %zero) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %n) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%n, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    llvm.store %i, %d : i32, !llvm.ptr
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}
func.func @sum_stored(%a: !llvm.ptr {tile.restrict}, %b: !llvm.ptr {tile.restrict}, %d: !llvm.ptr {tile.restrict}, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %k) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x32xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
    %top = tile.reduce max %next along 1 : tensor<128x128xf32> -> tensor<128x1xf32>
    tile.view_store %top, %d extents(%ld, %n) strides(%n, %c1) starts(%c0, %i)
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x1xf32> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

}
