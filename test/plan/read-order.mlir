// What the loop of a multiply stores may be passed by reads of other memory, and by no others: they
// are copied ahead of it, or wait for a reason.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s

// A pointer that is alone, which the loop does not store through.
// CHECK-LABEL: func.func @restrict_read(
// CHECK: tile.copy_async
func.func @restrict_read(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %q : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// It is enough that the other one is.
// CHECK-LABEL: func.func @restrict_store(
// CHECK: tile.copy_async
func.func @restrict_store(%p: !llvm.ptr, %q: !llvm.ptr {tile.restrict}, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    llvm.store %v, %q : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Two that may be one: were the first __restrict__ it would not wait.
// CHECK-LABEL: func.func @either(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<alias>
// CHECK-NOT: tile.copy_async
func.func @either(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %q : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// So may a member and a pointer, of which nothing can be said.
// CHECK-LABEL: func.func @field(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @field(%o: !llvm.ptr {tile.byval = !llvm.struct<(i32)>}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %p = tile.field %o ".rows" as "const __half *" : () -> !llvm.ptr
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %q : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// The loop stores to what it reads.
// CHECK-LABEL: func.func @same(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @same(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %p : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// A pointer out of memory may be any.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @unknown(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
    tile.store %v, %r : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// A store under a condition.
// CHECK-LABEL: func.func @nested(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @nested(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %some = arith.cmpi slt, %i, %c8 : i32
    scf.if %some {
      tile.store %v, %p : f16, !llvm.ptr
    }
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// A pointer that moves on, in a loop or by a choice, is based where it begins.
// CHECK-LABEL: func.func @moves(
// CHECK: tile.copy_async
func.func @moves(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %to = %q) -> (tensor<16x8xf32>, !llvm.ptr) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %to : f16, !llvm.ptr
    %one = llvm.getelementptr %to[1] : (!llvm.ptr) -> !llvm.ptr, f16
    %some = arith.cmpi slt, %i, %c8 : i32
    %further = arith.select %some, %one, %to : !llvm.ptr
    scf.yield %next, %further : tensor<16x8xf32>, !llvm.ptr
  }
  return %c#0 : tensor<16x8xf32>
}

// One that may become the other is based on either.
// CHECK-LABEL: func.func @moves_over(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @moves_over(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %to = %q) -> (tensor<16x8xf32>, !llvm.ptr) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.store %v, %to : f16, !llvm.ptr
    %one = llvm.getelementptr %to[1] : (!llvm.ptr) -> !llvm.ptr, f16
    %some = arith.cmpi slt, %i, %c8 : i32
    %further = arith.select %some, %one, %p : !llvm.ptr
    scf.yield %next, %further : tensor<16x8xf32>, !llvm.ptr
  }
  return %c#0 : tensor<16x8xf32>
}

// An atomic of relaxed order says nothing of other memory.
// CHECK-LABEL: func.func @relaxed(
// CHECK: tile.copy_async
func.func @relaxed(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %true = arith.constant true
    %old = tile.atomic_rmw add %q, %c1, %true relaxed device : !llvm.ptr, i32, i1
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// One that acquires does: what is read behind it another block may have released.
// CHECK-LABEL: func.func @acquires(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<order>
// CHECK-NOT: tile.copy_async
func.func @acquires(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %true = arith.constant true
    %old = tile.atomic_rmw add %q, %c1, %true acquire device : !llvm.ptr, i32, i1
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// A volatile access keeps its place among others.
// CHECK-LABEL: func.func @volatile_store(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<order>
// CHECK-NOT: tile.copy_async
func.func @volatile_store(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    llvm.store volatile %v, %q : f16, !llvm.ptr
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// So does one that reads.
// CHECK-LABEL: func.func @volatile_load(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<order>
// CHECK-NOT: tile.copy_async
func.func @volatile_load(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    %f = llvm.load volatile %q : !llvm.ptr -> f16
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Tile after tile of one tensor, replaced: what later iterations read the store leaves alone.
// CHECK-LABEL: func.func @in_place(
// CHECK: tile.copy_async
func.func @in_place(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %rows = arith.divui %n, %c16 : i32
  %c = scf.for %i = %c0 to %rows step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%k, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// The same, counted in rows.
// CHECK-LABEL: func.func @by_rows(
// CHECK: tile.copy_async
func.func @by_rows(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Rows by eights: the next tile is half of this one.
// CHECK-LABEL: func.func @rows_of_half(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @rows_of_half(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// What is stored the next iteration reads.
// CHECK-LABEL: func.func @next(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @next(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %j = arith.addi %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%j, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// What is stored an earlier iteration has read.
// CHECK-LABEL: func.func @one_before(
// CHECK: tile.copy_async
func.func @one_before(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %j = arith.subi %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%j, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// As many tiles as a number has values: 16 times the variable may be what it was before.
// CHECK-LABEL: func.func @wraps(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @wraps(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %k = arith.muli %i, %c16 : i32
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%k, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%k, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Columns of rows that lie one behind the other.
// CHECK-LABEL: func.func @columns(
// CHECK: tile.copy_async
func.func @columns(%p: !llvm.ptr, %m: i32, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %x = tile.view_load %p extents(%n, %m) strides(%m, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %m) strides(%m, %c1) starts(%c0, %i) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Rows that may lie in one another: two places of the view may be one of memory.
// CHECK-LABEL: func.func @columns_of_any(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @columns_of_any(%p: !llvm.ptr, %m: i32, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    %x = tile.view_load %p extents(%n, %n) strides(%m, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    tile.view_store %t, %p extents(%n, %n) strides(%m, %c1) starts(%c0, %i) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}

// Stored before it is read, in one iteration.
// CHECK-LABEL: func.func @behind_store(
// CHECK-NOT: tile.copy_async
// CHECK: tile.view_load {{.*}}waits = #tile.waits<writes>
// CHECK-NOT: tile.copy_async
func.func @behind_store(%p: !llvm.ptr, %n: i32, %sb: !tile.shared<16x8xf16, 0, 0, 0>, %init: tensor<16x8xf32>, %v: f16, %t: tensor<16x16xf16>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %init) -> (tensor<16x8xf32>) : i32 {
    tile.view_store %t, %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>}
        : tensor<16x16xf16> (i32, i32) (i32, i32) (i32, i32)
    %x = tile.view_load %p extents(%n, %c16) strides(%c16, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, 16>, staticStrides = array<i64: 16, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<16x16xf16>
    %sx = tile.shared_alloc : !tile.shared<16x16xf16, 1, 3, 3>
    tile.shared_store %x, %sx : tensor<16x16xf16>, !tile.shared<16x16xf16, 1, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sb, %sum : !tile.shared<16x16xf16, 1, 3, 3>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }
  return %c : tensor<16x8xf32>
}
