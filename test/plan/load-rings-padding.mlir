// Copies pad with zeros: the loop gives elements outside what the read is padded with. Pointers by their mask, views by their extents; what is known to be inside is compared with nothing.
// RUN: %tessera-opt --tile-pipeline-loops --canonicalize %s | FileCheck %s
module attributes {tile.target = #tile.target<"sm_90a">} {

// CHECK-LABEL: @views
// CHECK: tile.wait_group
// CHECK: %[[X:.*]] = tile.shared_load {{.*}} -> tensor<2x1024xf32>
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: arith.minui %[[REST]], %c2_i32
// CHECK: %[[INSIDE:.*]] = tile.broadcast
// CHECK: %[[PADDED:.*]] = tile.select %[[INSIDE]], %[[X]]
// CHECK: tile.reduce max %[[PADDED]]
func.func @views(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %rows: i32, %tiles: i32) attributes {tile.kernel = "k"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c132 = arith.constant 132 : i32
  %c1024 = arith.constant 1024 : i32
  %first = tile.block_index 0
  scf.for %t = %first to %tiles step %c132 : i32 {
    %row = arith.muli %t, %c2 : i32
    %x = tile.view_load %p extents(%rows, %c1024) strides(%c1024, %c1) starts(%row, %c0) padding negative_inf
        {staticExtents = array<i64: -1, 1024>, staticStrides = array<i64: 1024, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<2x1024xf32>
    %y = tile.reduce max %x along 1 : tensor<2x1024xf32> -> tensor<2x1xf32>
    tile.view_store %y, %q extents(%rows, %c1) strides(%c1, %c1) starts(%row, %c0)
        {staticExtents = array<i64: -1, 1>, staticStrides = array<i64: 1, 1>} : tensor<2x1xf32> (i32, i32) (i32, i32) (i32, i32)
  }
  return
}

// CHECK-LABEL: @pointers
// CHECK: tile.wait_group
// CHECK: tile.gather_async
// CHECK: %[[X:.*]] = tile.shared_load
// CHECK: tile.select %{{.*}}, %[[X]], %{{.*}} : tensor<1024xi1>, tensor<1024xf32>
func.func @pointers(%p: !llvm.ptr {tile.restrict}, %q: !llvm.ptr {tile.restrict}, %n: i32, %tiles: i32) attributes {tile.kernel = "k"} {
  %c132 = arith.constant 132 : i32
  %c1024 = arith.constant 1024 : i32
  %infinity = arith.constant 0x7F800000 : f32
  %padding = tile.splat %infinity : f32 -> tensor<1024xf32>
  %first = tile.block_index 0
  %i = tile.iota : tensor<1024xi32>
  %ends = tile.splat %n : i32 -> tensor<1024xi32>
  %mask = tile.compare lt %i, %ends : tensor<1024xi32> -> tensor<1024xi1>
  scf.for %t = %first to %tiles step %c132 : i32 {
    %at = arith.muli %t, %c1024 : i32
    %start = tile.splat %at : i32 -> tensor<1024xi32>
    %offsets = tile.binary add %start, %i : tensor<1024xi32>
    %base = tile.splat %p : !llvm.ptr -> tensor<1024x!llvm.ptr>
    %from = tile.offset %base, %offsets of f32 : tensor<1024x!llvm.ptr>, tensor<1024xi32>
    %x = tile.load %from, %mask, %padding : tensor<1024x!llvm.ptr>, tensor<1024xi1>, tensor<1024xf32> -> tensor<1024xf32>
    %out = tile.splat %q : !llvm.ptr -> tensor<1024x!llvm.ptr>
    %to = tile.offset %out, %offsets of f32 : tensor<1024x!llvm.ptr>, tensor<1024xi32>
    tile.store %x, %to, %mask : tensor<1024xf32>, tensor<1024x!llvm.ptr>, tensor<1024xi1>
  }
  return
}
}
