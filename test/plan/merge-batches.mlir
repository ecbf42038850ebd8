// A batched multiply with one operand for all batches becomes one multiply.
// RUN: %tessera-opt --tile-merge-batches %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {

// One B: the rows of all batches.
// CHECK-LABEL: func.func @rows
// CHECK-DAG: %[[A:.*]] = tile.reshape %arg0 : tensor<2x64x32xf16> -> tensor<128x32xf16>
// CHECK-DAG: %[[B:.*]] = tile.reshape %arg1 : tensor<1x32x16xf16> -> tensor<32x16xf16>
// CHECK-DAG: %[[C:.*]] = tile.reshape %arg2 : tensor<2x64x16xf32> -> tensor<128x16xf32>
// CHECK: %[[D:.*]] = tile.mma %[[A]], %[[B]], %[[C]] : tensor<128x32xf16>, tensor<32x16xf16>, tensor<128x16xf32>
// CHECK: %[[R:.*]] = tile.reshape %[[D]] : tensor<128x16xf32> -> tensor<2x64x16xf32>
// CHECK: return %[[R]]
func.func @rows(%a: tensor<2x64x32xf16>, %b: tensor<1x32x16xf16>, %c: tensor<2x64x16xf32>)
    -> tensor<2x64x16xf32> {
  %d = tile.mma %a, %b, %c : tensor<2x64x32xf16>, tensor<1x32x16xf16>, tensor<2x64x16xf32>
  return %d : tensor<2x64x16xf32>
}

// One A, broadcast: the columns of all batches.
// CHECK-LABEL: func.func @columns
// CHECK-DAG: %[[A:.*]] = tile.reshape %arg0 : tensor<1x16x32xf16> -> tensor<16x32xf16>
// CHECK-DAG: %[[P:.*]] = tile.permute %arg1 [1, 0, 2] : tensor<2x32x64xf16> -> tensor<32x2x64xf16>
// CHECK-DAG: %[[B:.*]] = tile.reshape %[[P]] : tensor<32x2x64xf16> -> tensor<32x128xf16>
// CHECK-DAG: %[[Q:.*]] = tile.permute %arg2 [1, 0, 2] : tensor<2x16x64xf16> -> tensor<16x2x64xf16>
// CHECK-DAG: %[[C:.*]] = tile.reshape %[[Q]] : tensor<16x2x64xf16> -> tensor<16x128xf16>
// CHECK: %[[D:.*]] = tile.mma %[[A]], %[[B]], %[[C]] : tensor<16x32xf16>, tensor<32x128xf16>, tensor<16x128xf16>
// CHECK: %[[S:.*]] = tile.reshape %[[D]] : tensor<16x128xf16> -> tensor<16x2x64xf16>
// CHECK: %[[R:.*]] = tile.permute %[[S]] [1, 0, 2] : tensor<16x2x64xf16> -> tensor<2x16x64xf16>
// CHECK: return %[[R]]
func.func @columns(%x: tensor<1x16x32xf16>, %b: tensor<2x32x64xf16>, %c: tensor<2x16x64xf16>)
    -> tensor<2x16x64xf16> {
  %a = tile.broadcast %x : tensor<1x16x32xf16> -> tensor<2x16x32xf16>
  %d = tile.mma %a, %b, %c : tensor<2x16x32xf16>, tensor<2x32x64xf16>, tensor<2x16x64xf16>
  return %d : tensor<2x16x64xf16>
}

// Each batch has its own operands, or no tensor core takes them.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: tile.mma {{.*}} : tensor<2x16x16x
// CHECK-NOT: tile.mma
func.func @apart(%a: tensor<2x16x16xf16>, %b: tensor<2x16x16xf16>, %c: tensor<2x16x16xf32>,
                 %x: tensor<2x16x16xf32>, %y: tensor<1x16x16xf32>)
    -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>) {
  %d = tile.mma %a, %b, %c : tensor<2x16x16xf16>, tensor<2x16x16xf16>, tensor<2x16x16xf32>
  %e = tile.mma %x, %y, %c : tensor<2x16x16xf32>, tensor<1x16x16xf32>, tensor<2x16x16xf32>
  return %d, %e : tensor<2x16x16xf32>, tensor<2x16x16xf32>
}

// One matrix in both operands, for all batches of the accumulator: there is nothing to merge.
// CHECK-LABEL: func.func @both
// CHECK: tile.mma {{.*}} : tensor<1x16x32xf16>, tensor<1x32x64xf16>, tensor<2x16x64xf32>
func.func @both(%a: tensor<1x16x32xf16>, %b: tensor<1x32x64xf16>, %c: tensor<2x16x64xf32>)
    -> tensor<2x16x64xf32> {
  %d = tile.mma %a, %b, %c : tensor<1x16x32xf16>, tensor<1x32x64xf16>, tensor<2x16x64xf32>
  return %d : tensor<2x16x64xf32>
}
}
