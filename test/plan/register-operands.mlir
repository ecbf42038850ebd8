// What a thread holds of one sum of a warpgroup's multiply is what it gives of an operand of the next: the stores to shared memory go, where the
// layouts agree, the operand comes from the multiply's own block, and nothing else reads the shared tile.
// RUN: %tessera-opt --tile-register-operands %s | FileCheck %s

#sum = #tile.layout<[1, 512, 8, 16, 32], [2, 4, 64, 128, 256], [1024, 2048]>
#rows = #tile.layout<[1, 2, 4, 512, 1024], [8, 16, 32, 64, 128], [256, 2048]>

// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:[^:]*]]: tensor<64x64xf32
// CHECK: %[[A:.*]] = tile.cast %[[X]]
// CHECK: tile.shared_store
// CHECK-NOT: tile.shared_store
// CHECK: tile.shared_mma wgmma %[[A]], %{{.*}} : tensor<64x64xf16
func.func @chain(%x: tensor<64x64xf32, #sum>, %c: tensor<64x64xf32, #sum>, %y: tensor<64x64xf16, #rows>) -> tensor<64x64xf32, #sum> {
  %a = tile.cast %x : tensor<64x64xf32, #sum> -> tensor<64x64xf16, #sum>
  %b = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %y, %b : tensor<64x64xf16, #rows>, !tile.shared<64x64xf16, panels>
  %s = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %a, %s : tensor<64x64xf16, #sum>, !tile.shared<64x64xf16, panels>
  %d = tile.shared_mma wgmma %s, %b, %c : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #sum>
  return %d : tensor<64x64xf32, #sum>
}

// Floats of other sizes lie in words of four bytes: of tf32 one element each, eight rows below and four columns on beside it.
#floats = #tile.layout<[256, 4, 8, 16], [1, 2, 32, 64, 128], [512, 1024]>
#bytes = #tile.layout<[1, 2, 256, 16], [4, 8, 32, 64, 128], [512, 1024]>
// CHECK-LABEL: func.func @floats
// CHECK: %[[A:.*]] = tile.cast
// CHECK: %[[D:.*]] = tile.cast
// CHECK-NOT: tile.shared_store
// CHECK: tile.shared_mma wgmma %[[A]], %{{.*}} : tensor<64x32xtf32
// CHECK-NOT: tile.shared_store
// CHECK: tile.shared_mma wgmma %[[D]], %{{.*}} : tensor<64x32xf8E4M3FN
func.func @floats(%p: tensor<64x32xf32, #floats>, %q: tensor<64x32xf32, #bytes>, %c: tensor<64x64xf32, #sum>, %b: !tile.shared<64x32xtf32, panels>, %e: !tile.shared<64x32xf8E4M3FN, panels>)
    -> tensor<64x64xf32, #sum> {
  %a = tile.cast %p : tensor<64x32xf32, #floats> -> tensor<64x32xtf32, #floats>
  %d = tile.cast %q : tensor<64x32xf32, #bytes> -> tensor<64x32xf8E4M3FN, #bytes>
  %s = tile.shared_alloc : !tile.shared<64x32xtf32, panels>
  tile.shared_store %a, %s : tensor<64x32xtf32, #floats>, !tile.shared<64x32xtf32, panels>
  %x = tile.shared_mma wgmma %s, %b, %c {bTransposed} : !tile.shared<64x32xtf32, panels>, !tile.shared<64x32xtf32, panels>, tensor<64x64xf32, #sum>
  %t = tile.shared_alloc : !tile.shared<64x32xf8E4M3FN, panels>
  tile.shared_store %d, %t : tensor<64x32xf8E4M3FN, #bytes>, !tile.shared<64x32xf8E4M3FN, panels>
  %y = tile.shared_mma wgmma %t, %e, %x {bTransposed} : !tile.shared<64x32xf8E4M3FN, panels>, !tile.shared<64x32xf8E4M3FN, panels>, tensor<64x64xf32, #sum>
  return %y : tensor<64x64xf32, #sum>
}

// Another layout stays on its way through shared memory.
// CHECK-LABEL: func.func @elsewhere
// CHECK: tile.shared_mma wgmma %{{.*}} : !tile.shared<64x64xf16, panels>, <64x64xf16
func.func @elsewhere(%x: tensor<64x64xf32, #rows>, %c: tensor<64x64xf32, #sum>, %y: tensor<64x64xf16, #rows>) -> tensor<64x64xf32, #sum> {
  %a = tile.cast %x : tensor<64x64xf32, #rows> -> tensor<64x64xf16, #rows>
  %b = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %y, %b : tensor<64x64xf16, #rows>, !tile.shared<64x64xf16, panels>
  %s = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %a, %s : tensor<64x64xf16, #rows>, !tile.shared<64x64xf16, panels>
  %d = tile.shared_mma wgmma %s, %b, %c : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #sum>
  return %d : tensor<64x64xf32, #sum>
}

// In a loop, what comes from before it stays where it takes no registers.
// CHECK-LABEL: func.func @from_outside
// CHECK: tile.shared_mma wgmma %{{.*}} : !tile.shared<64x64xf16, panels>, <64x64xf16
func.func @from_outside(%n: i32, %x: tensor<64x64xf32, #sum>, %c: tensor<64x64xf32, #sum>, %y: tensor<64x64xf16, #rows>) -> tensor<64x64xf32, #sum> {
  %a = tile.cast %x : tensor<64x64xf32, #sum> -> tensor<64x64xf16, #sum>
  %b = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %y, %b : tensor<64x64xf16, #rows>, !tile.shared<64x64xf16, panels>
  %s = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<64x64xf32, #sum>) : i32 {
    tile.shared_store %a, %s : tensor<64x64xf16, #sum>, !tile.shared<64x64xf16, panels>
    %e = tile.shared_mma wgmma %s, %b, %sum : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #sum>
    scf.yield %e : tensor<64x64xf32, #sum>
  }
  return %d : tensor<64x64xf32, #sum>
}

// Somebody else reads the shared tile.
// CHECK-LABEL: func.func @read_besides
// CHECK: tile.shared_mma wgmma %{{.*}} : !tile.shared<64x64xf16, panels>, <64x64xf16
func.func @read_besides(%x: tensor<64x64xf32, #sum>, %c: tensor<64x64xf32, #sum>, %y: tensor<64x64xf16, #rows>) -> (tensor<64x64xf32, #sum>, tensor<64x64xf16, #rows>) {
  %a = tile.cast %x : tensor<64x64xf32, #sum> -> tensor<64x64xf16, #sum>
  %b = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %y, %b : tensor<64x64xf16, #rows>, !tile.shared<64x64xf16, panels>
  %s = tile.shared_alloc : !tile.shared<64x64xf16, panels>
  tile.shared_store %a, %s : tensor<64x64xf16, #sum>, !tile.shared<64x64xf16, panels>
  %d = tile.shared_mma wgmma %s, %b, %c : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32, #sum>
  %again = tile.shared_load %s : !tile.shared<64x64xf16, panels> -> tensor<64x64xf16, #rows>
  return %d, %again : tensor<64x64xf32, #sum>, tensor<64x64xf16, #rows>
}
