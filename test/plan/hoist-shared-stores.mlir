// What a loop stores to shared memory in every iteration is stored once before it, where as many blocks fit an SM.
// RUN: %tessera-opt --tile-lower-to-shared --tile-hoist-shared-stores --split-input-file %s | FileCheck %s
// RUN: %tessera-opt --tile-lower-to-shared --tile-hoist-shared-stores --tile-plan-accesses --tile-insert-barriers --tile-verify-plan=stage=final --split-input-file %s | FileCheck %s --check-prefix=BARRIERS

#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// The tile lies apart from the other tile of the loop. Behind the loop, which may not have run, its bytes are
// another's: a barrier lies between. Within the loop the barriers are those of %t alone; the first settles %s.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME: tile.shared_bytes = 256
// CHECK: %[[S:.*]] = tile.shared_alloc {offset = 0 : i64}
// CHECK-NEXT: tile.shared_store %{{.*}}, %[[S]]
// CHECK-NEXT: scf.for
// CHECK: tile.shared_alloc {offset = 128 : i64}
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.shared_load %[[S]]
// CHECK: tile.shared_alloc {offset = 128 : i64}
// BARRIERS-LABEL: func.func @invariant
// BARRIERS: tile.shared_store
// BARRIERS-NEXT: scf.for
// BARRIERS: tile.barrier
// BARRIERS-NEXT: tile.shared_store
// BARRIERS-NEXT: tile.barrier
// BARRIERS-NEXT: tile.shared_load
// BARRIERS-NEXT: tile.shared_load
// BARRIERS-NOT: tile.barrier
// BARRIERS: scf.yield
// BARRIERS: tile.barrier
// BARRIERS-NEXT: tile.shared_store
func.func @invariant(%x: tensor<32xf32, #l>, %n: i32, %one: i32) -> tensor<32xf32, #l> attributes {tile.config = #tile.config<warps = 1>} {
  %y = scf.for %i = %one to %n step %one iter_args(%v = %x) -> (tensor<32xf32, #l>) : i32 {
    %t = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %v, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %a = tile.shared_load %t : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %b = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    %c = tile.binary add %a, %b : tensor<32xf32, #l>
    scf.yield %c : tensor<32xf32, #l>
  }
  %u = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %y, %u : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %z = tile.shared_load %u : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  return %z : tensor<32xf32, #l>
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// Out of both loops. Nothing else is stored in them: the tile is settled in the first iteration, at its reader.
// CHECK-LABEL: func.func @nested
// CHECK: tile.shared_store
// CHECK-NEXT: scf.while
// CHECK: scf.for
// CHECK-NOT: tile.shared_store
// CHECK: return
// BARRIERS-LABEL: func.func @nested
// BARRIERS: scf.for
// BARRIERS-NEXT: tile.barrier
// BARRIERS-NEXT: tile.shared_load
func.func @nested(%x: tensor<32xf32, #l>, %n: i32, %one: i32, %again: i1) attributes {tile.config = #tile.config<warps = 1>} {
  scf.while : () -> () {
    scf.condition(%again)
  } do {
    scf.for %i = %one to %n step %one : i32 {
      %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
      tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
      %b = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    }
    scf.yield
  }
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// What changes in the loop stays; so does what one of two arms alone may store, and a tile that is written in parts.
// CHECK-LABEL: func.func @stays
// CHECK: scf.for
// CHECK-COUNT-4: tile.shared_store
// CHECK: return
func.func @stays(%x: tensor<32xf32, #l>, %h: tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>, %n: i32, %one: i32, %c: i1)
    attributes {tile.config = #tile.config<warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  scf.for %i = %one to %n step %one iter_args(%v = %x) -> (tensor<32xf32, #l>) : i32 {
    %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %v, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %a = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    scf.if %c {
      %t = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
      tile.shared_store %x, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
      %b = tile.shared_load %t : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    }
    %u = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %h, %u[%c0] : tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>, !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %h, %u[%c16] : tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>, !tile.shared<32xf32, 0, 0, 0>
    %d = tile.shared_load %u : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    %e = tile.binary add %a, %d : tensor<32xf32, #l>
    scf.yield %e : tensor<32xf32, #l>
  }
  return
}

// -----
#big = #tile.layout<[32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384], [1, 2, 4, 8, 16], []>

// 128 KiB are one block on an SM; 256 KiB are none. One of the two tiles may stay where it is.
// CHECK-LABEL: func.func @too_large
// CHECK-SAME: tile.shared_bytes = 131072
// CHECK-NOT: tile.shared_store
// CHECK: scf.for
// CHECK-COUNT-2: tile.shared_store
func.func @too_large(%x: tensor<32768xf32, #big>, %n: i32, %one: i32) attributes {tile.config = #tile.config<warps = 1>} {
  scf.for %i = %one to %n step %one iter_args(%v = %x) -> (tensor<32768xf32, #big>) : i32 {
    %t = tile.shared_alloc : !tile.shared<32768xf32, 0, 0, 0>
    tile.shared_store %v, %t : tensor<32768xf32, #big>, !tile.shared<32768xf32, 0, 0, 0>
    %a = tile.shared_load %t : !tile.shared<32768xf32, 0, 0, 0> -> tensor<32768xf32, #big>
    %s = tile.shared_alloc : !tile.shared<32768xf32, 0, 0, 0>
    tile.shared_store %x, %s : tensor<32768xf32, #big>, !tile.shared<32768xf32, 0, 0, 0>
    %b = tile.shared_load %s : !tile.shared<32768xf32, 0, 0, 0> -> tensor<32768xf32, #big>
    %c = tile.binary add %a, %b : tensor<32768xf32, #big>
    scf.yield %c : tensor<32768xf32, #big>
  }
  return
}

// -----
#l = #tile.layout<[32, 64, 128, 256, 512], [1, 2, 4, 8, 16], []>

// The registers of an SM are enough for 32 of these blocks, and so is shared memory while each has 4 KiB; with 8 KiB it
// is enough for 25.
// CHECK-LABEL: func.func @fewer_blocks
// CHECK-SAME: tile.shared_bytes = 4096
// CHECK-NOT: tile.shared_store
// CHECK: scf.for
// CHECK-COUNT-2: tile.shared_store
func.func @fewer_blocks(%x: tensor<1024xf32, #l>, %n: i32, %one: i32) attributes {tile.config = #tile.config<warps = 1>} {
  scf.for %i = %one to %n step %one iter_args(%v = %x) -> (tensor<1024xf32, #l>) : i32 {
    %t = tile.shared_alloc : !tile.shared<1024xf32, 0, 0, 0>
    tile.shared_store %v, %t : tensor<1024xf32, #l>, !tile.shared<1024xf32, 0, 0, 0>
    %a = tile.shared_load %t : !tile.shared<1024xf32, 0, 0, 0> -> tensor<1024xf32, #l>
    %s = tile.shared_alloc : !tile.shared<1024xf32, 0, 0, 0>
    tile.shared_store %x, %s : tensor<1024xf32, #l>, !tile.shared<1024xf32, 0, 0, 0>
    %b = tile.shared_load %s : !tile.shared<1024xf32, 0, 0, 0> -> tensor<1024xf32, #l>
    %c = tile.binary add %a, %b : tensor<1024xf32, #l>
    scf.yield %c : tensor<1024xf32, #l>
  }
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// Two loops read one tile, which lives from before the first to the end of the second; a loop that reads another
// value has its own.
// CHECK-LABEL: func.func @two_loops
// CHECK-SAME: tile.shared_bytes = 256
// CHECK: %[[S:.*]] = tile.shared_alloc {offset = 0 : i64}
// CHECK-NEXT: tile.shared_store %{{.*}}, %[[S]]
// CHECK-NEXT: scf.for
// CHECK: tile.shared_load %[[S]]
// CHECK: %[[T:.*]] = tile.shared_alloc {offset = 128 : i64}
// CHECK-NEXT: tile.shared_store %{{.*}}, %[[T]]
// CHECK-NEXT: scf.for
// CHECK: tile.shared_load %[[T]]
// CHECK-NOT: tile.shared_store
// CHECK: scf.for
// CHECK: tile.shared_load %[[S]]
// CHECK-NOT: tile.shared_store
// CHECK: return
// BARRIERS-LABEL: func.func @two_loops
// BARRIERS: tile.shared_store
// BARRIERS-NEXT: scf.for
// BARRIERS-NEXT: tile.barrier
// BARRIERS-NEXT: tile.shared_load
// BARRIERS: tile.shared_store
// BARRIERS-NEXT: scf.for
// BARRIERS-NEXT: tile.barrier
// BARRIERS-NEXT: tile.shared_load
// BARRIERS: scf.for
// BARRIERS-NEXT: tile.barrier
// BARRIERS-NEXT: tile.shared_load
func.func @two_loops(%x: tensor<32xf32, #l>, %y: tensor<32xf32, #l>, %n: i32, %one: i32) attributes {tile.config = #tile.config<warps = 1>} {
  scf.for %i = %one to %n step %one : i32 {
    %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %a = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  }
  scf.for %i = %one to %n step %one : i32 {
    %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %y, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %a = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  }
  scf.for %i = %one to %n step %one : i32 {
    %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %a = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  }
  return
}
