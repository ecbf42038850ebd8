// What a block's shared memory does not hold is chosen from tiles of the result's size; smaller tiles, and parts at constant places, stay as they are.
// RUN: %tessera-opt --tile-select-large-parts %s | FileCheck %s

// CHECK-LABEL: func.func @cat
// CHECK-SAME: (%[[X:.*]]: tensor<128x128xf64>, %[[Y:.*]]: tensor<128x128xf64>)
// CHECK: %[[FLAGS:.*]] = tile.compare eq {{.*}} : tensor<2xi32> -> tensor<2xi1>
// CHECK: %[[MASK:.*]] = tile.reshape {{.*}} : tensor<128x2x128xi1> -> tensor<128x256xi1>
// CHECK: tile.reshape %[[Y]] : tensor<128x128xf64> -> tensor<128x1x128xf64>
// CHECK: tile.reshape %[[X]] : tensor<128x128xf64> -> tensor<128x1x128xf64>
// CHECK: %[[Z:.*]] = tile.select %[[MASK]], {{.*}} : tensor<128x256xi1>, tensor<128x256xf64>
// CHECK: return %[[Z]]
func.func @cat(%x: tensor<128x128xf64>, %y: tensor<128x128xf64>) -> tensor<128x256xf64> {
  %z = tile.cat %x, %y along 1 : tensor<128x128xf64>, tensor<128x128xf64> -> tensor<128x256xf64>
  return %z : tensor<128x256xf64>
}

// CHECK-LABEL: func.func @insert
// CHECK-SAME: (%[[P:.*]]: tensor<64x256xf64>, %[[X:.*]]: tensor<128x256xf64>, %[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK: tile.broadcast {{.*}} : tensor<1x64x1x256xf64> -> tensor<2x64x1x256xf64>
// CHECK: %[[Z:.*]] = tile.select {{.*}}, %[[X]] : tensor<128x256xi1>, tensor<128x256xf64>
// CHECK: return %[[Z]]
func.func @insert(%p: tensor<64x256xf64>, %x: tensor<128x256xf64>, %i: i32, %j: i32) -> tensor<128x256xf64> {
  %z = tile.insert %p, %x[%i, %j] : tensor<64x256xf64>, tensor<128x256xf64> -> tensor<128x256xf64>
  return %z : tensor<128x256xf64>
}

// Four parts along the first dimension: two bits of the index.
// CHECK-LABEL: func.func @extract
// CHECK-SAME: (%[[X:.*]]: tensor<128x256xf64>, %[[I:.*]]: i32)
// CHECK: %[[UPPER:.*]] = tile.extract %[[X]]{{.*}} : tensor<128x256xf64> -> tensor<64x256xf64>
// CHECK: %[[LOWER:.*]] = tile.extract %[[X]]{{.*}} : tensor<128x256xf64> -> tensor<64x256xf64>
// CHECK: %[[HALF:.*]] = tile.select {{.*}}, %[[UPPER]], %[[LOWER]]
// CHECK: tile.extract %[[HALF]]{{.*}} : tensor<64x256xf64> -> tensor<32x256xf64>
// CHECK: tile.extract %[[HALF]]{{.*}} : tensor<64x256xf64> -> tensor<32x256xf64>
// CHECK: tile.select
func.func @extract(%x: tensor<128x256xf64>, %i: i32) -> tensor<32x256xf64> {
  %zero = arith.constant 0 : i32
  %z = tile.extract %x[%i, %zero] : tensor<128x256xf64> -> tensor<32x256xf64>
  return %z : tensor<32x256xf64>
}

// CHECK-LABEL: func.func @others
// CHECK: tile.extract %{{.*}} : tensor<128x256xf64> -> tensor<64x256xf64>
// CHECK: tile.cat
func.func @others(%x: tensor<128x256xf64>, %y: tensor<8x4xf32>) -> (tensor<64x256xf64>, tensor<8x8xf32>) {
  %zero = arith.constant 0 : i32
  %part = tile.extract %x[%zero, %zero] : tensor<128x256xf64> -> tensor<64x256xf64>
  %z = tile.cat %y, %y along 1 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x8xf32>
  return %part, %z : tensor<64x256xf64>, tensor<8x8xf32>
}
