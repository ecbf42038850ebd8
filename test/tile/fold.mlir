// A reduction or a scan by any operation: n tiles, a region over n elements and n accumulators.
// RUN: %tessera-opt %s | %tessera-opt | FileCheck %s

// CHECK-LABEL: func.func @largest_and_its_place
// CHECK: tile.fold %{{.*}}, %{{.*}} along 1 from [0xFF800000 : f32, 0 : i32]
// CHECK-SAME: : (tensor<64x32xf32>, tensor<64x32xi32>) -> (tensor<64x1xf32>, tensor<64x1xi32>)
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
// CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
func.func @largest_and_its_place(%x: tensor<64x32xf32>, %i: tensor<64x32xi32>)
    -> (tensor<64x1xf32>, tensor<64x1xi32>) {
  %0:2 = tile.fold %x, %i along 1 from [0xFF800000 : f32, 0 : i32] : (tensor<64x32xf32>, tensor<64x32xi32>)
      -> (tensor<64x1xf32>, tensor<64x1xi32>) {
  ^bb0(%element: f32, %place: i32, %largest: f32, %first: i32):
    %c = arith.cmpf ogt, %element, %largest : f32
    %1 = arith.select %c, %element, %largest : f32
    %2 = arith.select %c, %place, %first : i32
    tile.yield %1, %2 : f32, i32
  }
  return %0#0, %0#1 : tensor<64x1xf32>, tensor<64x1xi32>
}

// The region may read scalars from outside.
// CHECK-LABEL: func.func @capture
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>, %[[D:.*]]: f32)
// CHECK: tile.fold scan %[[X]] along 0 {backward} : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: arith.mulf %{{.*}}, %[[D]]
func.func @capture(%x: tensor<64xf32>, %d: f32) -> tensor<64xf32> {
  %0 = tile.fold scan %x along 0 {backward} : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%element: f32, %accumulator: f32):
    %1 = arith.mulf %accumulator, %d : f32
    %2 = arith.addf %1, %element : f32
    tile.yield %2 : f32
  }
  return %0 : tensor<64xf32>
}

// Partial results, and what the plan makes of a scan over warps.
// CHECK-LABEL: func.func @over_warps
// CHECK: tile.fold %{{.*}} along 0 : (tensor<64xi8>) -> tensor<4xi8>
// CHECK: tile.fold scan %{{.*}} along 0 {withinWarps} : (tensor<64xi8>) -> tensor<64xi8>
// CHECK: tile.fold_carry %{{.*}} after %{{.*}} along 0 : (tensor<64xi8>, tensor<4xi8>) -> tensor<64xi8>
func.func @over_warps(%x: tensor<64xi8>) -> tensor<64xi8> {
  %0 = tile.fold %x along 0 : (tensor<64xi8>) -> tensor<4xi8> {
  ^bb0(%element: i8, %accumulator: i8):
    %3 = arith.subi %element, %accumulator : i8
    tile.yield %3 : i8
  }
  %1 = tile.fold scan %x along 0 {withinWarps} : (tensor<64xi8>) -> tensor<64xi8> {
  ^bb0(%element: i8, %accumulator: i8):
    %3 = arith.subi %element, %accumulator : i8
    tile.yield %3 : i8
  }
  %2 = tile.fold_carry %1 after %0 along 0 : (tensor<64xi8>, tensor<4xi8>) -> tensor<64xi8> {
  ^bb0(%element: i8, %accumulator: i8):
    %3 = arith.subi %element, %accumulator : i8
    tile.yield %3 : i8
  }
  return %2 : tensor<64xi8>
}
