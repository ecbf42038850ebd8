// A multiply gets its instruction from element types and shape, and both operands lie in shared memory, swizzled as ldmatrix reads them.
// RUN: %tessera-opt --tile-select-mma-instructions %s | FileCheck %s

// Rows of 128 bytes and more: eight chunks of 16 bytes, permuted by the row.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: (%[[A:.*]]: tensor<32x64xf16>, %[[B:.*]]: tensor<64x128xf16>, %[[C:.*]]: tensor<32x128xf32>)
// CHECK: %[[SA:.*]] = tile.shared_alloc : <32x64xf16, 3, 3, 3>
// CHECK: tile.shared_store %[[A]], %[[SA]]
// CHECK: %[[SB:.*]] = tile.shared_alloc : <64x128xf16, 3, 3, 4>
// CHECK: tile.shared_store %[[B]], %[[SB]]
// CHECK: tile.shared_mma m16n8k16 %[[SA]], %[[SB]], %[[C]] :
func.func @halves(%a: tensor<32x64xf16>, %b: tensor<64x128xf16>, %c: tensor<32x128xf32>) -> tensor<32x128xf32> {
  %d = tile.mma %a, %b, %c : tensor<32x64xf16>, tensor<64x128xf16>, tensor<32x128xf32>
  return %d : tensor<32x128xf32>
}

// Rows of 64 bytes: two share a line of 128, four chunks to permute. One chunk per row has nothing to permute.
// CHECK-LABEL: func.func @short_rows
// CHECK: <16x32xbf16, 2, 3, 3>
// CHECK: <32x8xbf16, 0, 0, 0>
// CHECK: tile.shared_mma m16n8k16
func.func @short_rows(%a: tensor<16x32xbf16>, %b: tensor<32x8xbf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %d = tile.mma %a, %b, %c : tensor<16x32xbf16>, tensor<32x8xbf16>, tensor<16x8xf32>
  return %d : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @half_accumulator
// CHECK: tile.shared_mma m16n8k16
func.func @half_accumulator(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf16>) -> tensor<16x8xf16> {
  %d = tile.mma %a, %b, %c : tensor<16x16xf16>, tensor<16x8xf16>, tensor<16x8xf16>
  return %d : tensor<16x8xf16>
}

// tf32: chunks of four elements.
// CHECK-LABEL: func.func @tf32
// CHECK: <16x32xtf32, 3, 2, 3>
// CHECK: tile.shared_mma m16n8k8
func.func @tf32(%a: tensor<16x32xtf32>, %b: tensor<32x8xtf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %d = tile.mma %a, %b, %c : tensor<16x32xtf32>, tensor<32x8xtf32>, tensor<16x8xf32>
  return %d : tensor<16x8xf32>
}

// Bytes, each operand with its own sign, and fp8: chunks of 16 elements. An operand that was
// transposed is stored as it was.
// CHECK-LABEL: func.func @bytes
// CHECK: <32x64xi8, 2, 4, 3>
// CHECK: <64x128xi8, 3, 4, 3>
// CHECK: tile.shared_mma m16n8k32 {{.*}} {aUnsigned}
func.func @bytes(%a: tensor<32x64xi8>, %b: tensor<64x128xi8>, %c: tensor<32x128xi32>) -> tensor<32x128xi32> {
  %d = tile.mma %a, %b, %c {aUnsigned} : tensor<32x64xi8>, tensor<64x128xi8>, tensor<32x128xi32>
  return %d : tensor<32x128xi32>
}
// CHECK-LABEL: func.func @fp8
// CHECK: <16x32xf8E4M3FN, 1, 4, 3>
// CHECK: <16x32xf8E4M3FN, 1, 4, 3>
// CHECK: tile.shared_mma m16n8k32 {{.*}} {bTransposed}
// CHECK: tile.shared_mma m16n8k32
func.func @fp8(%a: tensor<16x32xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %c: tensor<16x16xf32>, %x: tensor<16x32xf8E5M2>, %y: tensor<32x8xf8E5M2>, %z: tensor<16x8xf32>) -> (tensor<16x16xf32>, tensor<16x8xf32>) {
  %t = tile.permute %b [1, 0] : tensor<16x32xf8E4M3FN> -> tensor<32x16xf8E4M3FN>
  %d = tile.mma %a, %t, %c : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
  %e = tile.mma %x, %y, %z : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>
  return %d, %e : tensor<16x16xf32>, tensor<16x8xf32>
}

// Everything else is multiplied and added by element, from unswizzled rows.
// CHECK-LABEL: func.func @other_elements
// CHECK: <16x32xf32, 0, 0, 0>
// CHECK: tile.shared_mma fma
// CHECK: tile.shared_mma fma {{.*}} {aUnsigned}
// CHECK: tile.shared_mma fma
func.func @other_elements(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>, %i: tensor<16x16xi8>, %j: tensor<16x8xi8>, %k: tensor<16x8xi32>,
                          %x: tensor<16x32xf8E5M2>, %y: tensor<32x8xf8E5M2>, %z: tensor<16x8xf16>)
    -> (tensor<16x8xf32>, tensor<16x8xi32>, tensor<16x8xf16>) {
  %d = tile.mma %a, %b, %c : tensor<16x32xf32>, tensor<32x8xf32>, tensor<16x8xf32>
  %e = tile.mma %i, %j, %k {aUnsigned} : tensor<16x16xi8>, tensor<16x8xi8>, tensor<16x8xi32>
  %f = tile.mma %x, %y, %z : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf16>
  return %d, %e, %f : tensor<16x8xf32>, tensor<16x8xi32>, tensor<16x8xf16>
}

// So are tiles below one instruction, and batches.
// CHECK-LABEL: func.func @other_shapes
// CHECK-COUNT-4: tile.shared_mma fma
func.func @other_shapes(%a: tensor<8x16xf16>, %b: tensor<16x8xf16>, %c: tensor<8x8xf32>, %d: tensor<16x16xf16>, %e: tensor<16x4xf16>, %f: tensor<16x4xf32>,
                        %g: tensor<16x8xf16>, %h: tensor<8x8xf16>, %i: tensor<16x8xf32>, %j: tensor<2x16x16xf16>, %k: tensor<1x16x8xf16>, %l: tensor<2x16x8xf32>)
    -> (tensor<8x8xf32>, tensor<16x4xf32>, tensor<16x8xf32>, tensor<2x16x8xf32>) {
  %m = tile.mma %a, %b, %c : tensor<8x16xf16>, tensor<16x8xf16>, tensor<8x8xf32>
  %n = tile.mma %d, %e, %f : tensor<16x16xf16>, tensor<16x4xf16>, tensor<16x4xf32>
  %k8 = tile.mma %g, %h, %i : tensor<16x8xf16>, tensor<8x8xf16>, tensor<16x8xf32>
  %batch = tile.mma %j, %k, %l : tensor<2x16x16xf16>, tensor<1x16x8xf16>, tensor<2x16x8xf32>
  return %m, %n, %k8, %batch : tensor<8x8xf32>, tensor<16x4xf32>, tensor<16x8xf32>, tensor<2x16x8xf32>
}

// An operand that was transposed on the way is stored as it was before, and the transposition is gone.
// CHECK-LABEL: func.func @transposed_operand
// CHECK-NOT: tile.permute
// CHECK-SAME: , %[[B:[^:]*]]: tensor<8x16xf16>
// CHECK: %[[SB:.*]] = tile.shared_alloc : <8x16xf16
// CHECK: tile.shared_store %[[B]], %[[SB]]
// CHECK: tile.shared_mma m16n8k16 %{{.*}}, %[[SB]], %{{.*}} {bTransposed}
func.func @transposed_operand(%a: tensor<16x16xf16>, %b: tensor<8x16xf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %t = tile.permute %b [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
  %d = tile.mma %a, %t, %c : tensor<16x16xf16>, tensor<16x8xf16>, tensor<16x8xf32>
  return %d : tensor<16x8xf32>
}

// A square is stored once.
// CHECK-LABEL: func.func @square
// CHECK-COUNT-1: tile.shared_store
// CHECK-NOT: tile.shared_store
func.func @square(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tile.mma %a, %a, %c : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
  return %d : tensor<16x16xf32>
}

// Operands that shared memory does not hold together (256 KiB of 227) are multiplied in halves along K. What is read for this alone is read in halves,
// a value that is there is taken apart.
// CHECK-LABEL: func.func @too_large
// CHECK-SAME: %[[B:[^:]*]]: tensor<256x256xf16>
// CHECK: %[[A0:.*]] = tile.view_load %{{.*}} starts(%{{.*}}, %[[K:[^)]*]]) {{.*}} -> tensor<256x128xf16>
// CHECK: tile.shared_store %[[A0]],
// CHECK: %[[B0:.*]] = tile.extract %[[B]][%{{.*}}, %{{.*}}] : tensor<256x256xf16> -> tensor<128x256xf16>
// CHECK: tile.shared_store %[[B0]],
// CHECK: %[[HALF:.*]] = tile.shared_mma m16n8k16
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %c128
// CHECK: %[[A1:.*]] = tile.view_load %{{.*}} starts(%{{.*}}, %[[NEXT]]) {{.*}} -> tensor<256x128xf16>
// CHECK: tile.shared_mma m16n8k16 %{{.*}}, %{{.*}}, %[[HALF]] :
func.func @too_large(%p: !llvm.ptr, %n: i32, %s: i64, %k: i32, %b: tensor<256x256xf16>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %extent = arith.constant 256 : i32
  %start = arith.muli %k, %extent : i32
  %a = tile.view_load %p extents(%n, %n) strides(%s, %s) starts(%k, %start) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i64, i64) (i32, i32) -> tensor<256x256xf16>
  %d = tile.mma %a, %b, %c : tensor<256x256xf16>, tensor<256x256xf16>, tensor<256x256xf32>
  return %d : tensor<256x256xf32>
}

// A box that starts below 0 is outside as a whole, its second half might not be: it is read as a whole where it may start anywhere.
// CHECK-LABEL: func.func @starts_anywhere
// CHECK: %[[A:.*]] = tile.view_load {{.*}} -> tensor<256x256xf16>
// CHECK-NOT: tile.view_load
// CHECK: tile.extract %[[A]]
func.func @starts_anywhere(%p: !llvm.ptr, %n: i32, %s: i64, %k: i32, %b: tensor<256x256xf16>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a = tile.view_load %p extents(%n, %n) strides(%s, %s) starts(%k, %k) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i64, i64) (i32, i32) -> tensor<256x256xf16>
  %d = tile.mma %a, %b, %c : tensor<256x256xf16>, tensor<256x256xf16>, tensor<256x256xf32>
  return %d : tensor<256x256xf32>
}
