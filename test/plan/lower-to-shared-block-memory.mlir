// Block memory lies in shared memory where all of its accesses are known, in front of the tiles that
// threads exchange.
// RUN: %tessera-opt --tile-lower-to-shared --tile-insert-barriers %s | FileCheck %s

#layout = #tile.layout<[], [1, 2, 4, 8, 16], [32, 64]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>

// CHECK-LABEL: func.func @counts
// CHECK-SAME: tile.shared_bytes = 528
// CHECK: tile.block_memory 512 {tile.in_shared}
// CHECK: tile.store {{.*}}tile.in_shared
// CHECK: tile.barrier
// CHECK: tile.atomic_rmw add {{.*}} relaxed block {tile.in_shared}
// Atomics of one kind whose results nobody has need no order, and none with other memory.
// CHECK-NOT: tile.barrier
// CHECK: tile.load %{{.*}} : tensor<128x!llvm.ptr
// CHECK-NOT: tile.barrier
// CHECK: tile.atomic_rmw add {{.*}} relaxed block {tile.in_shared}
// CHECK: tile.barrier
// CHECK: tile.load {{.*}}tile.in_shared
// CHECK: tile.shared_alloc {offset = 512 : i64}
// CHECK-NOT: tile.free_block_memory
// CHECK: return
func.func @counts(%x: tensor<128x!llvm.ptr, #layout>, %i: tensor<128xi32, #layout>) -> tensor<1xi32, #one> attributes {tile.config = #tile.config<warps = 4>} {
  %m = tile.block_memory 512
  %b = llvm.inttoptr %m : i64 to !llvm.ptr
  %s = tile.splat %b : !llvm.ptr -> tensor<128x!llvm.ptr, #layout>
  %p = tile.offset %s, %i of i32 : tensor<128x!llvm.ptr, #layout>, tensor<128xi32, #layout>
  tile.store %i, %p : tensor<128xi32, #layout>, tensor<128x!llvm.ptr, #layout>
  %true = arith.constant true
  %all = tile.splat %true : i1 -> tensor<128xi1, #layout>
  %old = tile.atomic_rmw add %p, %i, %all relaxed block : tensor<128x!llvm.ptr, #layout>, tensor<128xi32, #layout>, tensor<128xi1, #layout>
  %y = tile.load %x : tensor<128x!llvm.ptr, #layout> -> tensor<128xi32, #layout>
  %older = tile.atomic_rmw add %p, %y, %all relaxed block : tensor<128x!llvm.ptr, #layout>, tensor<128xi32, #layout>, tensor<128xi1, #layout>
  %z = tile.load %p : tensor<128x!llvm.ptr, #layout> -> tensor<128xi32, #layout>
  %sum = tile.reduce sum %z along 0 : tensor<128xi32, #layout> -> tensor<1xi32, #one>
  tile.free_block_memory %m
  return %sum : tensor<1xi32, #one>
}

// The address is stored, and may come back from memory.
// CHECK-LABEL: func.func @stored_address
// CHECK: tile.block_memory 512{{$}}
// CHECK: tile.free_block_memory
func.func @stored_address(%x: !llvm.ptr) attributes {tile.config = #tile.config<warps = 4>} {
  %m = tile.block_memory 512
  %b = llvm.inttoptr %m : i64 to !llvm.ptr
  llvm.store %b, %x : !llvm.ptr, !llvm.ptr
  tile.free_block_memory %m
  return
}

// A load may take the address as a value, too: where it reads nothing.
// CHECK-LABEL: func.func @padding
// CHECK: tile.block_memory 512{{$}}
func.func @padding(%x: tensor<128x!llvm.ptr, #layout>, %mask: tensor<128xi1, #layout>) -> tensor<128x!llvm.ptr, #layout> attributes {tile.config = #tile.config<warps = 4>} {
  %m = tile.block_memory 512
  %b = llvm.inttoptr %m : i64 to !llvm.ptr
  %s = tile.splat %b : !llvm.ptr -> tensor<128x!llvm.ptr, #layout>
  %y = tile.load %x, %mask, %s : tensor<128x!llvm.ptr, #layout>, tensor<128xi1, #layout>, tensor<128x!llvm.ptr, #layout> -> tensor<128x!llvm.ptr, #layout>
  tile.free_block_memory %m
  return %y : tensor<128x!llvm.ptr, #layout>
}

// Shared memory has no such atomic in one instruction.
// CHECK-LABEL: func.func @long_maximum
// CHECK: tile.block_memory 512{{$}}
// CHECK: tile.free_block_memory
func.func @long_maximum(%x: i64, %mask: i1) attributes {tile.config = #tile.config<warps = 4>} {
  %m = tile.block_memory 512
  %b = llvm.inttoptr %m : i64 to !llvm.ptr
  %old = tile.atomic_rmw max %b, %x, %mask relaxed block : !llvm.ptr, i64, i1
  tile.free_block_memory %m
  return
}

// A large one would leave too little for other blocks.
// CHECK-LABEL: func.func @large
// CHECK: tile.block_memory 65536{{$}}
func.func @large(%x: i32) attributes {tile.config = #tile.config<warps = 4>} {
  %m = tile.block_memory 65536
  %b = llvm.inttoptr %m : i64 to !llvm.ptr
  llvm.store %x, %b : i32, !llvm.ptr
  tile.free_block_memory %m
  return
}
