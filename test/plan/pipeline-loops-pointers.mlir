// Operands that a loop reads by tiles of pointers are copied ahead of their use as those of views are.
// RUN: %tessera-opt --tile-pipeline-loops %s | FileCheck %s

// One operand's pointers are worked out of the induction variable, the other's move on with the
// loop: so many steps ahead. Masks are those of the iteration that is copied.
// CHECK-LABEL: func.func @product
// CHECK: %[[A:.*]] = tile.shared_alloc stages 4 : <64x32xf16, 2, 3, 3>
// CHECK: %[[B:.*]] = tile.shared_alloc stages 4 : <32x64xf16, 3, 3, 3>
// CHECK: scf.for {{.*}} to %c3{{.*}} iter_args(%[[FIRST:.*]] = %{{.*}})
// CHECK: tile.gather_async %{{.*}}, %[[FIRST]] when
// CHECK: %[[FURTHER:.*]] = tile.offset %[[FIRST]]
// CHECK: scf.yield %[[FURTHER]]
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N:[^ ]*]] step %{{[^ ]*}} iter_args(%[[C:[^ ]*]] = %{{[^ ]*}}, %[[P:[^ ]*]] = %{{[^ ]*}}, %[[READ:[^ ]*]] = %c0{{[^ ]*}}, %[[FILL:[^ ]*]] = %c3{{[^ ]*}})
// CHECK-NEXT: tile.wait_group 2
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]], %c96{{[^ ]*}} : i32
// CHECK: %[[IS_NUMBER:.*]] = arith.cmpi sle, %[[I]], %[[AHEAD]]
// CHECK: %[[IS_LESS:.*]] = arith.cmpi slt, %[[AHEAD]], %[[N]]
// CHECK: %[[EXISTS:.*]] = arith.andi %[[IS_NUMBER]], %[[IS_LESS]]
// CHECK: tile.splat %[[AHEAD]]
// CHECK: %[[POINTERS:.*]] = tile.offset
// CHECK: %[[MASK:.*]] = tile.compare lt
// CHECK: tile.gather_async %{{.*}}, %[[POINTERS]], %[[MASK]] when %[[EXISTS]]
// CHECK: %[[Q:.*]] = tile.offset %[[P]]
// CHECK: %[[R:.*]] = tile.offset %[[Q]]
// CHECK: %[[S:.*]] = tile.offset %[[R]]
// CHECK: tile.gather_async %{{.*}}, %[[S]] when %[[EXISTS]]
// CHECK: tile.commit_group
// CHECK-NOT: tile.load
// CHECK-NOT: tile.shared_store
// CHECK: tile.shared_mma m16n8k16
// CHECK: tile.wait_group 0
func.func @product(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %step = arith.constant 2048 : i32
  %as = tile.splat %a : !llvm.ptr -> tensor<64x32x!llvm.ptr>
  %bs = tile.splat %b : !llvm.ptr -> tensor<32x64x!llvm.ptr>
  %steps = tile.splat %step : i32 -> tensor<32x64xi32>
  %ends = tile.splat %n : i32 -> tensor<64x32xi32>
  %places = tile.iota : tensor<64x32xi32>
  %other = tile.iota : tensor<32x64xi32>
  %first = tile.offset %bs, %other of f16 : tensor<32x64x!llvm.ptr>, tensor<32x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf16>
  %c:2 = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %init, %p = %first) -> (tensor<64x64xf32>, tensor<32x64x!llvm.ptr>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64x32xi32>
    %at = tile.binary add %places, %is : tensor<64x32xi32>
    %from = tile.offset %as, %at of f16 : tensor<64x32x!llvm.ptr>, tensor<64x32xi32>
    %mask = tile.compare lt %at, %ends : tensor<64x32xi32> -> tensor<64x32xi1>
    %x = tile.load %from, %mask, %zero : tensor<64x32x!llvm.ptr>, tensor<64x32xi1>, tensor<64x32xf16> -> tensor<64x32xf16>
    %y = tile.load %p : tensor<32x64x!llvm.ptr> -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    %q = tile.offset %p, %steps of f16 : tensor<32x64x!llvm.ptr>, tensor<32x64xi32>
    scf.yield %next, %q : tensor<64x64xf32>, tensor<32x64x!llvm.ptr>
  }
  return %c#0 : tensor<64x64xf32>
}

// What copies cannot do, and what is known in its own iteration only: ones instead of zeros; a
// division, which must not take place where the loop has ended.
// CHECK-LABEL: func.func @waits
// CHECK-NOT: gather_async
// CHECK: tile.load {{.*}}waits = #tile.waits<padding>
// CHECK: tile.load {{.*}}waits = #tile.waits<coordinates>
func.func @waits(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %m: i32, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %as = tile.splat %a : !llvm.ptr -> tensor<64x32x!llvm.ptr>
  %bs = tile.splat %b : !llvm.ptr -> tensor<32x64x!llvm.ptr>
  %ends = tile.splat %n : i32 -> tensor<64x32xi32>
  %ms = tile.splat %m : i32 -> tensor<32x64xi32>
  %places = tile.iota : tensor<64x32xi32>
  %other = tile.iota : tensor<32x64xi32>
  %one = arith.constant dense<1.0> : tensor<64x32xf16>
  %c = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %init) -> (tensor<64x64xf32>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64x32xi32>
    %at = tile.binary add %places, %is : tensor<64x32xi32>
    %from = tile.offset %as, %at of f16 : tensor<64x32x!llvm.ptr>, tensor<64x32xi32>
    %mask = tile.compare lt %at, %ends : tensor<64x32xi32> -> tensor<64x32xi1>
    %x = tile.load %from, %mask, %one : tensor<64x32x!llvm.ptr>, tensor<64x32xi1>, tensor<64x32xf16> -> tensor<64x32xf16>
    %js = tile.splat %i : i32 -> tensor<32x64xi32>
    %row = tile.binary div %js, %ms : tensor<32x64xi32>
    %place = tile.binary add %other, %row : tensor<32x64xi32>
    %to = tile.offset %bs, %place of f16 : tensor<32x64x!llvm.ptr>, tensor<32x64xi32>
    %y = tile.load %to : tensor<32x64x!llvm.ptr> -> tensor<32x64xf16>
    %sx = tile.shared_alloc : !tile.shared<64x32xf16, 2, 3, 3>
    tile.shared_store %x, %sx : tensor<64x32xf16>, !tile.shared<64x32xf16, 2, 3, 3>
    %sy = tile.shared_alloc : !tile.shared<32x64xf16, 3, 3, 3>
    tile.shared_store %y, %sy : tensor<32x64xf16>, !tile.shared<32x64xf16, 3, 3, 3>
    %next = tile.shared_mma m16n8k16 %sx, %sy, %sum : !tile.shared<64x32xf16, 2, 3, 3>, !tile.shared<32x64xf16, 3, 3, 3>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %c : tensor<64x64xf32>
}
