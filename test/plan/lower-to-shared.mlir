// What a thread needs and another holds goes through shared memory; every shared tile gets its offset.
// RUN: %tessera-opt --tile-lower-to-shared %s | FileCheck %s

#rows = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 128], []>
#columns = #tile.layout<[16, 32, 64], [1, 2, 4, 8, 128], []>
#transposed = #tile.layout<[4, 2, 1], [8, 16, 32, 64, 128], []>

// CHECK-LABEL: func.func @conversion
// CHECK-SAME: (%[[X:.*]]: tensor<16x16xf32,
// CHECK-SAME: tile.shared_bytes = 1024
// CHECK: %[[S:.*]] = tile.shared_alloc {offset = 0 : i64} : <16x16xf32, {{.*}}>
// CHECK-NEXT: tile.shared_store %[[X]], %[[S]]
// CHECK-NEXT: %[[Y:.*]] = tile.shared_load %[[S]] : {{.*}} -> tensor<16x16xf32, #tile.layout<[16, 32, 64], [1, 2, 4, 8, 128], []>>
// CHECK-NEXT: return %[[Y]]
func.func @conversion(%x: tensor<16x16xf32, #rows>) -> tensor<16x16xf32, #columns> attributes {tile.config = #tile.config<warps = 1>} {
  %y = tile.convert_layout %x : tensor<16x16xf32, #rows> -> tensor<16x16xf32, #columns>
  return %y : tensor<16x16xf32, #columns>
}

// The same threads hold the same elements in another order: no memory.
// CHECK-LABEL: func.func @registers_only
// CHECK-SAME: tile.shared_bytes = 0
// CHECK: tile.convert_layout
func.func @registers_only(%x: tensor<16x16xf32, #rows>) -> tensor<16x16xf32, #transposed> attributes {tile.config = #tile.config<warps = 1>} {
  %y = tile.convert_layout %x : tensor<16x16xf32, #rows> -> tensor<16x16xf32, #transposed>
  return %y : tensor<16x16xf32, #transposed>
}

// Each warp folds what it has; the partial results of all go to every thread, which folds them again.
// CHECK-LABEL: func.func @reduction_over_warps
// CHECK-SAME: (%[[X:.*]]: tensor<1024xf32,
// CHECK: %[[PARTIAL:.*]] = tile.reduce sum %[[X]] along 0 : {{.*}} -> tensor<4xf32, #tile.layout<[], [0, 0, 0, 0, 0], [1, 2]>>
// CHECK-NEXT: %[[S:.*]] = tile.shared_alloc {offset = 0 : i64} : <4xf32, 0, 0, 0>
// CHECK-NEXT: tile.shared_store %[[PARTIAL]], %[[S]]
// CHECK-NEXT: %[[ALL:.*]] = tile.shared_load %[[S]] : <4xf32, 0, 0, 0> -> tensor<4xf32, #tile.layout<[1, 2], [0, 0, 0, 0, 0], [0, 0]>>
// CHECK-NEXT: tile.reduce sum %[[ALL]] along 0 : {{.*}} -> tensor<1xf32
func.func @reduction_over_warps(%x: tensor<1024xf32, #tile.layout<[1, 2, 512], [4, 8, 16, 32, 64], [128, 256]>>)
    -> tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>> attributes {tile.config = #tile.config<warps = 4>} {
  %s = tile.reduce sum %x along 0 : tensor<1024xf32, #tile.layout<[1, 2, 512], [4, 8, 16, 32, 64], [128, 256]>>
      -> tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>>
  return %s : tensor<1xf32, #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>>
}

// Along a dimension that lies within each warp, lanes exchange by shuffles.
// CHECK-LABEL: func.func @reduction_within_warp
// CHECK-SAME: tile.shared_bytes = 0
// CHECK: tile.reduce max
// CHECK-NEXT: return
func.func @reduction_within_warp(%x: tensor<16x16xf32, #rows>) -> tensor<16x1xf32, #tile.layout<[], [0, 1, 2, 4, 8], []>> attributes {tile.config = #tile.config<warps = 1>} {
  %s = tile.reduce max %x along 1 : tensor<16x16xf32, #rows> -> tensor<16x1xf32, #tile.layout<[], [0, 1, 2, 4, 8], []>>
  return %s : tensor<16x1xf32, #tile.layout<[], [0, 1, 2, 4, 8], []>>
}

// A constant part of what lies in registers of its own moves nothing.
// CHECK-LABEL: func.func @constant_extract
// CHECK-SAME: (%[[X:.*]]: tensor<16x16xf32,
// CHECK-SAME: tile.shared_bytes = 0
// CHECK: tile.part %[[X]] of 128 at 128 :
func.func @constant_extract(%x: tensor<16x16xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], []>>)
    -> tensor<8x16xf32, #tile.layout<[1, 2], [4, 8, 16, 32, 64], []>> attributes {tile.config = #tile.config<warps = 1>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = tile.extract %x[%one, %zero] : tensor<16x16xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], []>>
      -> tensor<8x16xf32, #tile.layout<[1, 2], [4, 8, 16, 32, 64], []>>
  return %y : tensor<8x16xf32, #tile.layout<[1, 2], [4, 8, 16, 32, 64], []>>
}

// Two tiles of one layout are joined in registers.
// CHECK-LABEL: func.func @cat_in_registers
// CHECK-SAME: (%[[X:.*]]: tensor<16x1xf16, {{.*}}>, %[[Y:.*]]: tensor<16x1xf16, {{.*}}>)
// CHECK-SAME: tile.shared_bytes = 0
// CHECK: tile.join %[[X]], %[[Y]] at 1 :
// CHECK-NEXT: return
func.func @cat_in_registers(%x: tensor<16x1xf16, #tile.layout<[], [1, 2, 4, 8, 0], []>>, %y: tensor<16x1xf16, #tile.layout<[], [1, 2, 4, 8, 0], []>>)
    -> tensor<16x2xf16, #tile.layout<[1], [2, 4, 8, 16, 0], []>> attributes {tile.config = #tile.config<warps = 1>} {
  %z = tile.cat %x, %y along 1 : tensor<16x1xf16, #tile.layout<[], [1, 2, 4, 8, 0], []>>, tensor<16x1xf16, #tile.layout<[], [1, 2, 4, 8, 0], []>>
      -> tensor<16x2xf16, #tile.layout<[1], [2, 4, 8, 16, 0], []>>
  return %z : tensor<16x2xf16, #tile.layout<[1], [2, 4, 8, 16, 0], []>>
}

// The same along rows, where lanes hold other elements of the result: all of it is exchanged at once.
// CHECK-LABEL: func.func @cat_exchanged
// CHECK-SAME: (%[[X:.*]]: tensor<16x16xf32, {{.*}}>, %[[Y:.*]]: tensor<16x16xf32, {{.*}}>)
// CHECK: %[[Z:.*]] = tile.join %[[X]], %[[Y]] at 256 :
// CHECK-NEXT: %[[S:.*]] = tile.shared_alloc
// CHECK-NEXT: tile.shared_store %[[Z]], %[[S]] :
// CHECK-NEXT: tile.shared_load %[[S]] :
func.func @cat_exchanged(%x: tensor<16x16xf32, #rows>, %y: tensor<16x16xf32, #rows>)
    -> tensor<32x16xf32, #tile.layout<[1, 2, 64, 256], [4, 8, 16, 32, 128], []>> attributes {tile.config = #tile.config<warps = 1>} {
  %z = tile.cat %x, %y along 0 : tensor<16x16xf32, #rows>, tensor<16x16xf32, #rows>
      -> tensor<32x16xf32, #tile.layout<[1, 2, 64, 256], [4, 8, 16, 32, 128], []>>
  return %z : tensor<32x16xf32, #tile.layout<[1, 2, 64, 256], [4, 8, 16, 32, 128], []>>
}

// A part at a run-time index: all of it in, a box out, whose start is the index times the part's extents.
// CHECK-LABEL: func.func @extract
// CHECK-SAME: (%[[X:.*]]: tensor<16x16xf32, {{.*}}>, %[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK: tile.shared_store %[[X]], %[[S:.*]] :
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c4
// CHECK: %[[COLUMN:.*]] = arith.muli %[[J]], %c8
// CHECK: tile.shared_load %[[S]][%[[ROW]], %[[COLUMN]]] : <16x16xf32, 0, 0, 0> -> tensor<4x8xf32
func.func @extract(%x: tensor<16x16xf32, #rows>, %i: i32, %j: i32) -> tensor<4x8xf32, #tile.layout<[], [1, 2, 4, 8, 16], []>> attributes {tile.config = #tile.config<warps = 1>} {
  %y = tile.extract %x[%i, %j] : tensor<16x16xf32, #rows> -> tensor<4x8xf32, #tile.layout<[], [1, 2, 4, 8, 16], []>>
  return %y : tensor<4x8xf32, #tile.layout<[], [1, 2, 4, 8, 16], []>>
}

// Of two layouts.
// CHECK-LABEL: func.func @cat
// CHECK-SAME: (%[[X:.*]]: tensor<32xf32, {{.*}}>, %[[Y:.*]]: tensor<32xf32, {{.*}}>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[HALF:.*]] = arith.constant 32 : i32
// CHECK-DAG: tile.shared_store %[[X]], %[[S:.*]][%[[ZERO]]]
// CHECK-DAG: tile.shared_store %[[Y]], %[[S]][%[[HALF]]]
// CHECK: tile.shared_load %[[S]] : <64xf32, 0, 0, 0>
func.func @cat(%x: tensor<32xf32, #tile.layout<[], [1, 2, 4, 8, 16], []>>, %y: tensor<32xf32, #tile.layout<[], [16, 8, 4, 2, 1], []>>)
    -> tensor<64xf32, #tile.layout<[1], [2, 4, 8, 16, 32], []>> attributes {tile.config = #tile.config<warps = 1>} {
  %z = tile.cat %x, %y along 0 : tensor<32xf32, #tile.layout<[], [1, 2, 4, 8, 16], []>>, tensor<32xf32, #tile.layout<[], [16, 8, 4, 2, 1], []>>
      -> tensor<64xf32, #tile.layout<[1], [2, 4, 8, 16, 32], []>>
  return %z : tensor<64xf32, #tile.layout<[1], [2, 4, 8, 16, 32], []>>
}

// The result of an atomic is in its owners only; where others hold copies they are told. One that nobody reads costs nothing, nor one of the first thread that it alone needs: what it stores.
// CHECK-LABEL: func.func @atomic
// CHECK: tile.atomic_rmw
// CHECK-NEXT: %[[OLD:.*]] = tile.atomic_rmw
// CHECK-NEXT: %[[ONE:.*]] = tile.splat %[[OLD]]
// CHECK-NEXT: %[[S:.*]] = tile.shared_alloc
// CHECK-NEXT: tile.shared_store %[[ONE]], %[[S]]
// CHECK-NEXT: %[[ALL:.*]] = tile.shared_load %[[S]]
// CHECK-NEXT: %[[X:.*]] = tile.scalar %[[ALL]]
// CHECK-NEXT: return %[[X]]
func.func @atomic(%p: !llvm.ptr, %x: i32, %m: i1) -> i32 attributes {tile.config = #tile.config<warps = 1>} {
  %unread = tile.atomic_rmw add %p, %x, %m relaxed device : !llvm.ptr, i32, i1
  %old = tile.atomic_rmw add %p, %x, %m relaxed device : !llvm.ptr, i32, i1
  return %old : i32
}

// CHECK-LABEL: func.func @ticket
// CHECK: tile.atomic_rmw
// CHECK-NOT: shared_alloc
// CHECK: llvm.store
// CHECK: tile.atomic_rmw
// CHECK: tile.shared_alloc
// CHECK: return
func.func @ticket(%p: !llvm.ptr, %q: !llvm.ptr, %x: i32, %m: i1) attributes {tile.config = #tile.config<warps = 1>} {
  %old = tile.atomic_rmw add %p, %x, %m relaxed device : !llvm.ptr, i32, i1
  %twice = arith.addi %old, %old : i32
  %at = llvm.getelementptr %q[%old] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %twice, %at : i32, !llvm.ptr
  %divisor = tile.atomic_rmw add %p, %x, %m relaxed device : !llvm.ptr, i32, i1
  %part = arith.divui %x, %divisor : i32
  llvm.store %part, %at : i32, !llvm.ptr
  return
}
