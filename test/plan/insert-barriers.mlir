// Two accesses of the same memory of which one writes have a barrier between them; nothing else has one.
// RUN: %tessera-opt --tile-insert-barriers %s | FileCheck %s
// RUN: %tessera-opt --tile-insert-barriers=forget=1 %s | FileCheck %s --check-prefix=FORGET

#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// CHECK-LABEL: func.func @store_then_load
// CHECK: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: return
func.func @store_then_load(%x: tensor<32xf32, #l>) {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  %z = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  return
}

// Different bytes do not meet; different tiles in the same bytes do.
// CHECK-LABEL: func.func @bytes
// CHECK: tile.shared_store %{{.*}}, %[[A:.*]] :
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
func.func @bytes(%x: tensor<32xf32, #l>) {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  %t = tile.shared_alloc {offset = 128 : i64} : !tile.shared<32xf32, 0, 0, 0>
  %u = tile.shared_alloc {offset = 64 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %u : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  return
}

// What one iteration reads the next one writes. A barrier that is to be forgotten is so in both walks
// of the loop, and the others are where they were.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: }
// FORGET-LABEL: func.func @carried
// FORGET: scf.for
// FORGET-NEXT: tile.barrier
// FORGET-NEXT: tile.shared_store
// FORGET-NEXT: tile.shared_load
// FORGET-NEXT: }
func.func @carried(%x: tensor<32xf32, #l>, %n: i32) {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  scf.for %i = %n to %n step %n : i32 {
    tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  }
  return
}

// The body of a loop may never run, an arm of a branch may not be taken: its barriers settle nothing behind it.
// CHECK-LABEL: func.func @maybe
// CHECK: tile.shared_store
// CHECK: scf.if
// CHECK-NEXT: tile.barrier
// CHECK: }
// CHECK: tile.barrier
// CHECK-NEXT: tile.shared_load
func.func @maybe(%x: tensor<32xf32, #l>, %c: i1) {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  scf.if %c {
    %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  }
  %z = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  return
}

// A tile program is one logical thread: in global memory, too, a load sees the stores before it. Pointers may alias.
// CHECK-LABEL: func.func @global
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @global(%p: !llvm.ptr, %q: !llvm.ptr, %x: f32) -> f32 {
  tile.store %x, %p : f32, !llvm.ptr
  %y = tile.load %q : !llvm.ptr -> f32
  return %y : f32
}

// Not if one of them is __restrict__, or the memory is each thread's own.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @apart(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr, %x: f32, %one: i32) -> (f32, f32) {
  %local = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  tile.store %x, %p : f32, !llvm.ptr
  %y = tile.load %q : !llvm.ptr -> f32
  llvm.store %x, %local : f32, !llvm.ptr
  %z = llvm.load %local : !llvm.ptr -> f32
  return %y, %z : f32, f32
}

// One base is one memory, wherever the pointers went.
// CHECK-LABEL: func.func @one_base
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @one_base(%p: !llvm.ptr {tile.restrict}, %n: i64, %x: f32) -> f32 {
  %q = llvm.getelementptr %p[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  tile.store %x, %p : f32, !llvm.ptr
  %y = tile.load %q : !llvm.ptr -> f32
  return %y : f32
}

// A pointer that was read from memory points anywhere.
// CHECK-LABEL: func.func @unknown_base
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @unknown_base(%p: !llvm.ptr {tile.restrict}, %table: !llvm.ptr {tile.restrict}, %x: f32) -> f32 {
  %q = llvm.load %table : !llvm.ptr -> !llvm.ptr
  tile.store %x, %p : f32, !llvm.ptr
  %y = tile.load %q : !llvm.ptr -> f32
  return %y : f32
}

// A thread waits for its own copies only, so a barrier follows. Copies themselves need none among each other, one after reads of the stage.
// CHECK-LABEL: func.func @copies
// CHECK: tile.copy_async
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.commit_group
// CHECK-NEXT: tile.wait_group 0
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.copy_async
func.func @copies(%p: !llvm.ptr, %n: i32) {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.copy_async %s, %p extents(%n) strides(%n) starts(%n) {access = #tile.access<4 along 0, aligned = false, bounds = [checked]>}
      : !tile.shared<32xf32, 0, 0, 0> (i32) (i32) (i32)
  tile.copy_async %s, %p extents(%n) strides(%n) starts(%n) {access = #tile.access<4 along 0, aligned = false, bounds = [checked]>}
      : !tile.shared<32xf32, 0, 0, 0> (i32) (i32) (i32)
  tile.commit_group
  tile.wait_group 0
  %x = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  tile.copy_async %s, %p extents(%n) strides(%n) starts(%n) {access = #tile.access<4 along 0, aligned = false, bounds = [checked]>}
      : !tile.shared<32xf32, 0, 0, 0> (i32) (i32) (i32)
  return
}

// One thread makes a release for the whole block: what the others stored and read before it must be done, wherever it was.
// CHECK-LABEL: func.func @release
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.atomic_store
func.func @release(%d: !llvm.ptr {tile.restrict}, %flag: !llvm.ptr {tile.restrict}, %one: i32, %m: i1) -> f32 {
  %x = tile.load %d : !llvm.ptr -> f32
  tile.atomic_store %one, %flag, %m release device : i32, !llvm.ptr, i1
  return %x : f32
}

// An acquire comes before every access behind it, of whatever thread.
// CHECK-LABEL: func.func @acquire
// CHECK: tile.atomic_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @acquire(%d: !llvm.ptr {tile.restrict}, %flag: !llvm.ptr {tile.restrict}, %m: i1) -> f32 {
  %f = tile.atomic_load %flag, %m acquire device : !llvm.ptr, i1 -> i32
  %x = tile.load %d : !llvm.ptr -> f32
  return %x : f32
}

// acq_rel is both.
// CHECK-LABEL: func.func @both_ways
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @both_ways(%d: !llvm.ptr {tile.restrict}, %flag: !llvm.ptr {tile.restrict}, %x: f32, %one: i32, %m: i1) -> f32 {
  tile.store %x, %d : f32, !llvm.ptr
  %f = tile.atomic_rmw add %flag, %one, %m acq_rel device : !llvm.ptr, i32, i1
  %y = tile.load %d : !llvm.ptr -> f32
  return %y : f32
}

// A relaxed atomic orders nothing but its own memory.
// CHECK-LABEL: func.func @relaxed
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @relaxed(%d: !llvm.ptr {tile.restrict}, %flag: !llvm.ptr {tile.restrict}, %x: f32, %one: i32, %m: i1) {
  tile.store %x, %d : f32, !llvm.ptr
  %f = tile.atomic_rmw add %flag, %one, %m relaxed device : !llvm.ptr, i32, i1
  return
}

// A pointer that is chosen, carried round a loop or read from an array of tiles is based on any of them.
// CHECK-LABEL: func.func @chosen
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK: scf.for
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @chosen(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %c: i1, %x: f32, %n: i32) -> f32 {
  %r = arith.select %c, %p, %q : !llvm.ptr
  tile.store %x, %p : f32, !llvm.ptr
  %y = tile.load %r : !llvm.ptr -> f32
  %z:2 = scf.for %i = %n to %n step %n iter_args(%s = %q, %v = %y) -> (!llvm.ptr, f32) : i32 {
    tile.store %x, %p : f32, !llvm.ptr
    %w = tile.load %s : !llvm.ptr -> f32
    scf.yield %r, %w : !llvm.ptr, f32
  }
  return %z#1 : f32
}

// Tiles in local arrays are each thread's own.
// CHECK-LABEL: func.func @local_tiles
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @local_tiles(%x: tensor<32xf32, #l>, %i: i64) -> tensor<32xf32, #l> {
  %array = tile.local_alloc 4 of tensor<32xf32> : !llvm.ptr
  tile.local_store %x, %array[%i] : tensor<32xf32, #l>, i64
  %y = tile.local_load %array[%i] : i64 -> tensor<32xf32, #l>
  tile.local_store %y, %array[%i] : tensor<32xf32, #l>, i64
  return %y : tensor<32xf32, #l>
}

// One barrier is enough, and a second run of the pass adds none.
// RUN: %tessera-opt --tile-insert-barriers %s > %t.once
// RUN: %tessera-opt --tile-insert-barriers %t.once | diff %t.once -

// What threads write for wgmma they fence before the barrier; what it reads of a ring, behind the wait for its copies.
// CHECK-LABEL: func.func @fences
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_mma
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_mma
// CHECK-NEXT: return
#operand = #tile.layout<[1, 2, 4, 1024, 2048], [8, 16, 32, 64, 128], [256, 512]>
#acc = #tile.layout<[1, 512, 8, 16, 32], [2, 4, 64, 128, 256], [1024, 2048]>
func.func @fences(%x: tensor<64x64xf16, #operand>, %c: tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc> {
  %a = tile.shared_alloc {offset = 0 : i64} : !tile.shared<64x64xf16, panels>
  %b = tile.shared_alloc {offset = 8192 : i64} : !tile.shared<64x64xf16, panels>
  tile.shared_store %x, %a : tensor<64x64xf16, #operand>, !tile.shared<64x64xf16, panels>
  tile.shared_store %x, %b : tensor<64x64xf16, #operand>, !tile.shared<64x64xf16, panels>
  %d = tile.shared_mma wgmma %a, %b, %c : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #acc>
  tile.shared_store %x, %a : tensor<64x64xf16, #operand>, !tile.shared<64x64xf16, panels>
  %e = tile.shared_mma wgmma %a, %b, %d : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #acc>
  return %e : tensor<64x64xf32, #acc>
}

// What threads write where bulk copies will write is fenced at the barrier that comes next, and not again; what they read has been read there.
// CHECK-LABEL: func.func @bulk
// CHECK: tile.init_barriers
// CHECK: tile.shared_store
// CHECK-NEXT: tile.fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NOT: tile.fence
// CHECK: tile.barrier
// CHECK-NEXT: tile.copy_async
// CHECK: tile.wait_group 0 of
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_mma
// CHECK: tile.invalidate_barriers
func.func @bulk(%p: !llvm.ptr, %n: i32, %x: tensor<64x64xf16, #operand>, %c: tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc> {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ring = tile.shared_alloc stages 2 {offset = 0 : i64} : !tile.shared<64x64xf16, panels>
  %scratch = tile.shared_alloc {offset = 16384 : i64} : !tile.shared<32xi32, 0, 0, 0>
  %buffer = tile.shared_alloc {offset = 16512 : i64} : !tile.shared<8xi32, 0, 0, 0>
  %out = tile.shared_alloc {offset = 8192 : i64} : !tile.shared<64x64xf16, 0, 0, 0>
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %one) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  %r = tile.init_barriers %buffer of %m stages 2 copies 1 : !tile.shared<8xi32, 0, 0, 0>
  tile.shared_store %x, %out : tensor<64x64xf16, #operand>, !tile.shared<64x64xf16, 0, 0, 0>
  %y = tile.shared_load %out : !tile.shared<64x64xf16, 0, 0, 0> -> tensor<64x64xf16, #operand>
  %s = tile.shared_slot %ring[%one : i32] : !tile.shared<64x64xf16, panels>
  tile.copy_async %s, %p extents(%n, %n) strides(%n, %one) starts(%c0, %c0) by %m at %r {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x64xf16, panels> (i32, i32) (i32, i32) (i32, i32)
  tile.commit_group
  tile.wait_group 0 of %r[%one : i32]
  %d = tile.shared_mma wgmma %s, %s, %c : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #acc>
  tile.invalidate_barriers %r
  return %d : tensor<64x64xf32, #acc>
}

// A store that a loop makes for the next iteration is fenced at the barrier that stands already.
// CHECK-LABEL: func.func @fences_of_loops
// CHECK: scf.for
// CHECK: tile.fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_mma
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK: }
func.func @fences_of_loops(%x: tensor<64x64xf16, #operand>, %c: tensor<64x64xf32, #acc>, %n: i32) -> tensor<64x64xf32, #acc> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile.shared_alloc {offset = 0 : i64} : !tile.shared<64x64xf16, panels>
  tile.shared_store %x, %a : tensor<64x64xf16, #operand>, !tile.shared<64x64xf16, panels>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c) -> (tensor<64x64xf32, #acc>) : i32 {
    %d = tile.shared_mma wgmma %a, %a, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #acc>
    tile.shared_store %x, %a : tensor<64x64xf16, #operand>, !tile.shared<64x64xf16, panels>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  return %r : tensor<64x64xf32, #acc>
}

// A bulk store reads until wait_stores, which stands before the barrier behind which its bytes are
// written: here those of the next iteration; and before the end. A barrier that both sides of a
// branch need stands before it.
// CHECK-LABEL: func.func @stored_in_bulk
// CHECK: scf.for
// CHECK-NEXT: tile.wait_stores
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.fence{{$}}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.bulk_store
// CHECK-NEXT: else
// CHECK-NEXT: tile.shared_load
// CHECK: tile.wait_stores
// CHECK-NEXT: return
func.func @stored_in_bulk(%x: tensor<8x16xf32, #l>, %p: !llvm.ptr, %n: i32, %one: i32) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %one) for !tile.shared<8x16xf32, panels> : (i32, i32) (i32, i32)
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x16xf32, panels>
  %c = tile.tensor_map_exists %m
  scf.for %i = %n to %n step %n : i32 {
    tile.shared_store %x, %s : tensor<8x16xf32, #l>, !tile.shared<8x16xf32, panels>
    scf.if %c {
      tile.bulk_store %s, %p extents(%n, %n) strides(%n, %one) starts(%i, %i) by %m {inOrder} : !tile.shared<8x16xf32, panels> (i32, i32) (i32, i32) (i32, i32)
    } else {
      %y = tile.shared_load %s : !tile.shared<8x16xf32, panels> -> tensor<8x16xf32, #l>
    }
  }
  return
}

// What was read where the store writes is over then: its threads fence global memory, too. Bytes
// that nothing writes again are waited for at the end alone.
// CHECK-LABEL: func.func @stored_where_it_was_read
// CHECK: tile.shared_store
// CHECK-NEXT: tile.fence global
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.bulk_store
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.wait_stores
// CHECK-NEXT: return
func.func @stored_where_it_was_read(%x: tensor<8x16xf32, #l>, %q: tensor<8x16x!llvm.ptr, #l>, %p: !llvm.ptr, %n: i32, %one: i32) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %one) for !tile.shared<8x16xf32, panels> : (i32, i32) (i32, i32)
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x16xf32, panels>
  %t = tile.shared_alloc {offset = 512 : i64} : !tile.shared<8x16xf32, panels>
  %y = tile.load %q : tensor<8x16x!llvm.ptr, #l> -> tensor<8x16xf32, #l>
  tile.shared_store %y, %s : tensor<8x16xf32, #l>, !tile.shared<8x16xf32, panels>
  tile.bulk_store %s, %p extents(%n, %n) strides(%n, %one) starts(%n, %n) by %m : !tile.shared<8x16xf32, panels> (i32, i32) (i32, i32) (i32, i32)
  tile.shared_store %x, %t : tensor<8x16xf32, #l>, !tile.shared<8x16xf32, panels>
  return
}

// Scalars are stored by one thread, in its order; a tile's elements are others', and all read.
// CHECK-LABEL: func.func @scalars
// CHECK: llvm.store
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: llvm.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: llvm.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @scalars(%p: !llvm.ptr, %x: i32, %t: tensor<32xi32, #l>, %at: tensor<32x!llvm.ptr, #l>) {
  llvm.store %x, %p : i32, !llvm.ptr
  tile.store %x, %p : i32, !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> i32
  llvm.store %y, %p : i32, !llvm.ptr
  tile.store %t, %at : tensor<32xi32, #l>, tensor<32x!llvm.ptr, #l>
  return
}

// The first thread makes atomics of scalars, too; one that orders meets all others' accesses.
// CHECK-LABEL: func.func @scalar_atomics
// CHECK: llvm.store
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.atomic_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.atomic_rmw {{.*}} release
func.func @scalar_atomics(%p: !llvm.ptr, %x: i32, %m: i1) {
  llvm.store %x, %p : i32, !llvm.ptr
  %y = tile.atomic_rmw add %p, %x, %m relaxed device : !llvm.ptr, i32, i1
  tile.atomic_store %x, %p, %m relaxed device : i32, !llvm.ptr, i1
  %z = tile.atomic_rmw add %p, %x, %m release device : !llvm.ptr, i32, i1
  return
}

// What one block does for two of the program's has no order between them: not of column 0 and
// column 1, but of one column, and of a column with a row that both are in.
// CHECK-LABEL: func.func @of_blocks
// CHECK: tile.store {{.*}}tile.of_block = array<i64: 0, -1, -1>
// CHECK-NEXT: tile.store {{.*}}tile.of_block = array<i64: 1, -1, -1>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load {{.*}}tile.of_block = array<i64: 0, -1, -1>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store {{.*}}tile.of_block = array<i64: -1, 0, -1>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store %{{.*}}, %{{.*}} : tensor
func.func @of_blocks(%t: tensor<32xi32, #l>, %at: tensor<32x!llvm.ptr, #l>) {
  tile.store %t, %at {tile.of_block = array<i64: 0, -1, -1>} : tensor<32xi32, #l>, tensor<32x!llvm.ptr, #l>
  tile.store %t, %at {tile.of_block = array<i64: 1, -1, -1>} : tensor<32xi32, #l>, tensor<32x!llvm.ptr, #l>
  %x = tile.load %at {tile.of_block = array<i64: 0, -1, -1>} : tensor<32x!llvm.ptr, #l> -> tensor<32xi32, #l>
  tile.store %x, %at {tile.of_block = array<i64: -1, 0, -1>} : tensor<32xi32, #l>, tensor<32x!llvm.ptr, #l>
  tile.store %t, %at : tensor<32xi32, #l>, tensor<32x!llvm.ptr, #l>
  return
}

// Boxes that a loop's counter keeps apart, of one store or of two, are stored without a barrier;
// where an iteration's box and the next one's have elements in common there is one.
// CHECK-LABEL: func.func @boxes_of_iterations
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK-NEXT: tile.view_store
func.func @boxes_of_iterations(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %n: i32, %t: tensor<32xi32, #l>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %iterations = arith.constant 1000 : i32
  scf.for %i = %c0 to %iterations step %c2 : i32 {
    %at = arith.muli %i, %c32 : i32
    tile.view_store %t, %p extents(%n) strides(%c1) starts(%at) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<32xi32, #l> (i32) (i32) (i32)
    %next = arith.addi %i, %c1 : i32
    %there = arith.muli %next, %c32 : i32
    tile.view_store %t, %p extents(%n) strides(%c1) starts(%there) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<32xi32, #l> (i32) (i32) (i32)
  }
  scf.for %i = %c0 to %iterations step %c1 : i32 {
    %at = arith.muli %i, %c16 : i32
    tile.view_store %t, %q extents(%n) strides(%c1) starts(%at) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<32xi32, #l> (i32) (i32) (i32)
  }
  return
}

// Boxes of one row, whatever the distance of rows; where the row changes, too, rows may share elements.
// CHECK-LABEL: func.func @pieces_of_a_row
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK-NEXT: tile.view_store
func.func @pieces_of_a_row(%p: !llvm.ptr {tile.restrict}, %row: i32, %n: i32, %stride: i32, %t: tensor<1x32xi32, #l>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %iterations = arith.constant 1000 : i32
  scf.for %i = %c0 to %iterations step %c1 : i32 {
    %at = arith.muli %i, %c32 : i32
    tile.view_store %t, %p extents(%n, %n) strides(%stride, %c1) starts(%row, %at) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x32xi32, #l> (i32, i32) (i32, i32) (i32, i32)
  }
  scf.for %i = %c0 to %iterations step %c1 : i32 {
    %at = arith.muli %i, %c32 : i32
    tile.view_store %t, %p extents(%n, %n) strides(%stride, %c1) starts(%i, %at) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<1x32xi32, #l> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// Boxes apart wherever a block begins, which converts its index to more bits and back; and one that
// has elements of the second.
// CHECK-LABEL: func.func @boxes_of_a_block
// CHECK: tile.view_store
// CHECK-NOT: tile.barrier
// CHECK: tile.view_store
// CHECK: tile.barrier
// CHECK-NEXT: tile.view_store
func.func @boxes_of_a_block(%p: !llvm.ptr {tile.restrict}, %block: i32, %n: i32, %t: tensor<32xi32, #l>) {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %at = arith.muli %block, %c128 : i32
  %boxes = arith.muli %block, %c4 : i32
  %wide = arith.extsi %boxes : i32 to i64
  %next = arith.addi %wide, %one : i64
  %narrow = arith.trunci %next : i64 to i32
  %there = arith.muli %narrow, %c32 : i32
  %between = arith.addi %there, %c16 : i32
  tile.view_store %t, %p extents(%n) strides(%c1) starts(%at) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<32xi32, #l> (i32) (i32) (i32)
  tile.view_store %t, %p extents(%n) strides(%c1) starts(%there) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<32xi32, #l> (i32) (i32) (i32)
  tile.view_store %t, %p extents(%n) strides(%c1) starts(%between) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : tensor<32xi32, #l> (i32) (i32) (i32)
  return
}

// Halves of a row: whatever the distance of rows, both are in one.
// CHECK-LABEL: func.func @halves_of_a_row
// CHECK: tile.view_store
// CHECK-NOT: tile.barrier
// CHECK: tile.view_store
// CHECK: return
func.func @halves_of_a_row(%p: !llvm.ptr {tile.restrict}, %row: i32, %part: i32, %n: i32, %stride: i32, %t: tensor<1x1x32xi32, #l>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  tile.view_store %t, %p extents(%n, %c2, %n) strides(%stride, %n, %c1) starts(%row, %c0, %part) {staticExtents = array<i64: -1, 2, -1>, staticStrides = array<i64: -1, -1, 1>} : tensor<1x1x32xi32, #l> (i32, i32, i32) (i32, i32, i32) (i32, i32, i32)
  tile.view_store %t, %p extents(%n, %c2, %n) strides(%stride, %n, %c1) starts(%row, %c1, %part) {staticExtents = array<i64: -1, 2, -1>, staticStrides = array<i64: -1, -1, 1>} : tensor<1x1x32xi32, #l> (i32, i32, i32) (i32, i32, i32) (i32, i32, i32)
  return
}
