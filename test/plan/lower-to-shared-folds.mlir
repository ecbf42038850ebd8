// Folds over warps: each warp folds its run, the partial results of all go to every thread. They lie in the order of the runs, whatever
// warps hold these.
// RUN: %tessera-opt --tile-lower-to-shared %s | FileCheck %s

#l = #tile.layout<[1, 2], [4, 8, 16, 32, 64], [256, 128]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>

// CHECK-LABEL: func.func @reduction
// CHECK-SAME: (%[[X:.*]]: tensor<512xf32, {{.*}}>, %[[I:.*]]: tensor<512xi8, {{.*}}>, %[[K:.*]]: f32)
// CHECK: %[[P:.*]]:2 = tile.fold %[[X]], %[[I]] along 0 from [0.000000e+00 : f32, 0 : i8] : {{.*}} -> (tensor<4xf32, #[[PART:tile.layout<\[\], \[0, 0, 0, 0, 0\], \[2, 1\]>]]>, tensor<4xi8, #[[PART]]>)
// CHECK: arith.mulf %{{.*}}, %[[K]]
// CHECK: tile.shared_store %[[P]]#0
// CHECK: tile.shared_store %[[P]]#1
// CHECK: %[[X2:.*]] = tile.shared_load {{.*}} -> tensor<4xf32, #[[ALL:tile.layout<\[2, 1\], \[0, 0, 0, 0, 0\], \[0, 0\]>]]>
// CHECK: %[[I2:.*]] = tile.shared_load {{.*}} -> tensor<4xi8, #[[ALL]]>
// CHECK: %[[R:.*]]:2 = tile.fold %[[X2]], %[[I2]] along 0 {{.*}} -> (tensor<1xf32, {{.*}}>, tensor<1xi8, {{.*}}>)
// CHECK: arith.mulf %{{.*}}, %[[K]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @reduction(%x: tensor<512xf32, #l>, %i: tensor<512xi8, #l>, %k: f32) -> (tensor<1xf32, #one>, tensor<1xi8, #one>)
    attributes {tile.config = #tile.config<warps = 4>} {
  %0:2 = tile.fold %x, %i along 0 from [0.0 : f32, 0 : i8] : (tensor<512xf32, #l>, tensor<512xi8, #l>) -> (tensor<1xf32, #one>, tensor<1xi8, #one>) {
  ^bb0(%e: f32, %f: i8, %a: f32, %b: i8):
    %1 = arith.mulf %a, %k : f32
    %2 = arith.subf %1, %e : f32
    tile.yield %2, %f : f32, i8
  }
  return %0#0, %0#1 : tensor<1xf32, #one>, tensor<1xi8, #one>
}

// The total of a warp's run starts from the end, too.
// CHECK-LABEL: func.func @scan
// CHECK-SAME: (%[[X:.*]]: tensor<512xf32,
// CHECK: %[[P:.*]] = tile.fold %[[X]] along 0 {backward} : {{.*}} -> tensor<4xf32
// CHECK: %[[T:.*]] = tile.shared_load {{.*}} -> tensor<4xf32
// CHECK: %[[W:.*]] = tile.fold scan %[[X]] along 0 {backward, withinWarps}
// CHECK: %[[R:.*]] = tile.fold_carry %[[W]] after %[[T]] along 0 {backward}
// CHECK: return %[[R]]
func.func @scan(%x: tensor<512xf32, #l>) -> tensor<512xf32, #l> attributes {tile.config = #tile.config<warps = 4>} {
  %0 = tile.fold scan %x along 0 {backward} : (tensor<512xf32, #l>) -> tensor<512xf32, #l> {
  ^bb0(%e: f32, %a: f32):
    %1 = arith.subf %a, %e : f32
    tile.yield %1 : f32
  }
  return %0 : tensor<512xf32, #l>
}

// What a warp holds needs nobody else.
// CHECK-LABEL: func.func @within_a_warp
// CHECK: tile.fold scan
// CHECK-NOT: tile.shared_alloc
// CHECK: return
func.func @within_a_warp(%x: tensor<4x128xf32, #l>) -> tensor<4x128xf32, #l> attributes {tile.config = #tile.config<warps = 4>} {
  %0 = tile.fold scan %x along 1 : (tensor<4x128xf32, #l>) -> tensor<4x128xf32, #l> {
  ^bb0(%e: f32, %a: f32):
    %1 = arith.subf %a, %e : f32
    tile.yield %1 : f32
  }
  return %0 : tensor<4x128xf32, #l>
}

// Indices that are given go along.
// CHECK-LABEL: func.func @argument_reduction
// CHECK-SAME: (%[[X:.*]]: tensor<512xf32, {{.*}}>, %[[I:.*]]: tensor<512xi32,
// CHECK: %[[P:.*]] = tile.reduce argmax %[[X]] at %[[I]] along 0
// CHECK: %[[Q:.*]] = tile.reduce max %[[X]] along 0
func.func @argument_reduction(%x: tensor<512xf32, #l>, %i: tensor<512xi32, #l>) -> tensor<1xi32, #one> attributes {tile.config = #tile.config<warps = 4>} {
  %0 = tile.reduce argmax %x at %i along 0 : tensor<512xf32, #l>, tensor<512xi32, #l> -> tensor<1xi32, #one>
  return %0 : tensor<1xi32, #one>
}
