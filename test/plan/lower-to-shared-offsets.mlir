// Shared tiles that live at the same time lie apart, others share their bytes; offsets are multiples of 128.
// Small ones that follow each other lie apart, too: the second one is stored while threads still load the first one.
// RUN: %tessera-opt --tile-lower-to-shared --split-input-file %s | FileCheck %s

#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// CHECK-LABEL: func.func @one_after_the_other
// CHECK-SAME: tile.shared_bytes = 256
// CHECK: tile.shared_alloc {offset = 0 : i64}
// CHECK: tile.shared_alloc {offset = 128 : i64}
// CHECK: tile.shared_alloc {offset = 0 : i64}
func.func @one_after_the_other(%x: tensor<32xf32, #l>) -> tensor<32xf32, #l> attributes {tile.config = #tile.config<warps = 1>} {
  %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  %t = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %y, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %z = tile.shared_load %t : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  %u = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %z, %u : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %w = tile.shared_load %u : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  return %w : tensor<32xf32, #l>
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// CHECK-LABEL: func.func @both_at_once
// CHECK-SAME: tile.shared_bytes = 192
// CHECK: tile.shared_alloc {offset = 128 : i64} : <16xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : <32xf32
func.func @both_at_once(%x: tensor<32xf32, #l>, %y: tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>)
    -> (tensor<32xf32, #l>, tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>) attributes {tile.config = #tile.config<warps = 1>} {
  %s = tile.shared_alloc : !tile.shared<16xf32, 0, 0, 0>
  tile.shared_store %y, %s : tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>, !tile.shared<16xf32, 0, 0, 0>
  %t = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %z = tile.shared_load %t : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  %w = tile.shared_load %s : !tile.shared<16xf32, 0, 0, 0> -> tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>
  return %z, %w : tensor<32xf32, #l>, tensor<16xf32, #tile.layout<[], [1, 2, 4, 8, 0], []>>
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>

// A ring that a loop reads lives until the loop ends, though its last access comes before another tile's first.
// CHECK-LABEL: func.func @through_a_loop
// CHECK-SAME: tile.shared_bytes = 512
// CHECK: tile.shared_alloc stages 3 {offset = 0 : i64}
// CHECK: tile.shared_alloc {offset = 384 : i64}
func.func @through_a_loop(%x: tensor<32xf32, #l>, %n: i32, %i: i32) -> tensor<32xf32, #l> attributes {tile.config = #tile.config<warps = 1>} {
  %ring = tile.shared_alloc stages 3 : !tile.shared<32xf32, 0, 0, 0>
  %y = scf.for %j = %i to %n step %i iter_args(%v = %x) -> (tensor<32xf32, #l>) : i32 {
    %slot = tile.shared_slot %ring[%i : i32] : !tile.shared<32xf32, 0, 0, 0>
    %a = tile.shared_load %slot : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    %t = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
    tile.shared_store %a, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
    %b = tile.shared_load %t : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
    scf.yield %b : tensor<32xf32, #l>
  }
  return %y : tensor<32xf32, #l>
}
