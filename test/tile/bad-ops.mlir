// What a tile op refuses, one rule at a time.
// RUN: %tessera-opt --split-input-file --verify-diagnostics %s

func.func @splat(%x: f32) {
  // expected-error @+1 {{'tile.splat' op has element types 'f32' and 'f16', which must be one}}
  %0 = tile.splat %x : f32 -> tensor<64xf16>
  return
}

// -----
func.func @scalar(%x: tensor<2xf32>) {
  // expected-error @+1 {{'tile.scalar' op takes a tile of one element, not of shape [2]}}
  %0 = tile.scalar %x : tensor<2xf32> -> f32
  return
}

// -----
func.func @binary(%x: tensor<64xf32>, %y: tensor<32xf32>) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{expects different type than prior uses}}
  %0 = tile.binary add %x, %y : tensor<64xf32>
  return
}

// -----
func.func @compare_elements(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.compare' op has truth values of type 'f32', which must be i1}}
  %0 = tile.compare lt %x, %x : tensor<64xf32> -> tensor<64xf32>
  return
}

// -----
func.func @compare_shape(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.compare' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tile.compare lt %x, %x : tensor<64xf32> -> tensor<32xi1>
  return
}

// -----
func.func @select(%m: i1, %x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.select' op has shapes [] and [64], which must be one}}
  %0 = tile.select %m, %x, %x : i1, tensor<64xf32>
  return
}

// -----
func.func @cast(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{'tile.cast' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tile.cast %x : tensor<8x8xf32> -> tensor<64xf16>
  return
}

// -----
func.func @bitcast(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.bitcast' op reads elements of 32 bits as elements of 16}}
  %0 = tile.bitcast %x : tensor<64xf32> -> tensor<64xf16>
  return
}

// -----
func.func @reshape(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.reshape' op gives 64 elements a shape of 32}}
  %0 = tile.reshape %x : tensor<64xf32> -> tensor<8x4xf32>
  return
}

// -----
func.func @broadcast_extent(%x: tensor<64x2xf32>) {
  // expected-error @+1 {{'tile.broadcast' op repeats dimensions of extent 1 only: [64, 2] does not become [64, 32]}}
  %0 = tile.broadcast %x : tensor<64x2xf32> -> tensor<64x32xf32>
  return
}

// -----
func.func @broadcast_rank(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.broadcast' op repeats dimensions of extent 1 only: [64] does not become [2, 64]}}
  %0 = tile.broadcast %x : tensor<64xf32> -> tensor<2x64xf32>
  return
}

// -----
func.func @permute_tensor_map(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.permute' op has the map [0, 0], which is no permutation of 2 dimensions}}
  %0 = tile.permute %x [0, 0] : tensor<64x32xf32> -> tensor<64x64xf32>
  return
}

// -----
func.func @permute_shape(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.permute' op does not transpose [64, 32] into [64, 32]}}
  %0 = tile.permute %x [1, 0] : tensor<64x32xf32> -> tensor<64x32xf32>
  return
}

// -----
func.func @cat(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'tile.cat' op does not make [16, 8] of [8, 4] and [8, 4]}}
  %0 = tile.cat %x, %x along 1 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<16x8xf32>
  return
}

// -----
func.func @extract_index(%x: tensor<8x8xf32>, %i: i32) {
  // expected-error @+1 {{'tile.extract' op needs a part of the tile's rank, and one index per dimension}}
  %0 = tile.extract %x[%i] : tensor<8x8xf32> -> tensor<4x4xf32>
  return
}

// -----
func.func @extract_larger(%x: tensor<8x8xf32>, %i: i32) {
  // expected-error @+1 {{'tile.extract' op cuts shape [8, 8] into parts of [16, 4]}}
  %0 = tile.extract %x[%i, %i] : tensor<8x8xf32> -> tensor<16x4xf32>
  return
}

// -----
func.func @insert(%part: tensor<4x4xf16>, %x: tensor<8x8xf32>, %i: i32) {
  // expected-error @+1 {{'tile.insert' op has element types 'f16' and 'f32', which must be one}}
  %0 = tile.insert %part, %x[%i, %i] : tensor<4x4xf16>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----
func.func @reduce_dimension(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.reduce' op names dimension 2 of a tile with 2}}
  %0 = tile.reduce sum %x along 2 : tensor<64x32xf32> -> tensor<64x1xf32>
  return
}

// -----
func.func @reduce_other_dimension(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.reduce' op along dimension 1 does not fold [64, 32] to [1, 32]}}
  %0 = tile.reduce sum %x along 1 : tensor<64x32xf32> -> tensor<1x32xf32>
  return
}

// -----
func.func @argmax(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.reduce' op gives indices, which are i32}}
  %0 = tile.reduce argmax %x along 1 : tensor<64x32xf32> -> tensor<64x1xf32>
  return
}

// -----
func.func @scan(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.scan' op gives prefix sums or products, not max}}
  %0 = tile.scan max %x along 0 : tensor<64xf32>
  return
}

// -----
func.func @mma_inner(%a: tensor<16x32xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{'tile.mma' op multiplies [16, 32] by [16, 8] and adds [16, 8]}}
  %0 = tile.mma %a, %b, %c : tensor<16x32xf16>, tensor<16x8xf16>, tensor<16x8xf32>
  return
}

// -----
func.func @mma_rank(%a: tensor<2x16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<2x16x8xf32>) {
  // expected-error @+1 {{'tile.mma' op multiplies tiles of ranks 3, 2 and 3; all must be 2 or all 3}}
  %0 = tile.mma %a, %b, %c : tensor<2x16x16xf16>, tensor<16x8xf16>, tensor<2x16x8xf32>
  return
}

// -----
func.func @mma_batch(%a: tensor<1x16x16xf16>, %b: tensor<2x16x8xf16>, %c: tensor<4x16x8xf32>) {
  // expected-error @+1 {{'tile.mma' op multiplies [1, 16, 16] by [2, 16, 8] and adds [4, 16, 8]}}
  %0 = tile.mma %a, %b, %c : tensor<1x16x16xf16>, tensor<2x16x8xf16>, tensor<4x16x8xf32>
  return
}

// -----
func.func @load_elements(%n: tensor<64xi64>) {
  // expected-error @+1 {{'tile.load' op goes through elements of type 'i64', which must be pointers}}
  %0 = tile.load %n : tensor<64xi64> -> tensor<64xf32>
  return
}

// -----
func.func @load_mask(%p: tensor<64x!llvm.ptr>, %m: tensor<32xi1>, %x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.load' op has shapes [32] and [64], which must be one}}
  %0 = tile.load %p, %m, %x : tensor<64x!llvm.ptr>, tensor<32xi1>, tensor<64xf32> -> tensor<64xf32>
  return
}

// -----
func.func @load_padding(%p: tensor<64x!llvm.ptr>, %m: tensor<64xi1>, %x: tensor<64xf16>) {
  // expected-error @+1 {{'tile.load' op pads with another type than it reads}}
  %0 = tile.load %p, %m, %x : tensor<64x!llvm.ptr>, tensor<64xi1>, tensor<64xf16> -> tensor<64xf32>
  return
}

// -----
func.func @store(%p: tensor<64x!llvm.ptr>, %x: f32) {
  // expected-error @+1 {{'tile.store' op has shapes [64] and [], which must be one}}
  tile.store %x, %p : f32, tensor<64x!llvm.ptr>
  return
}

// -----
func.func @atomic(%p: tensor<64x!llvm.ptr>, %x: tensor<64xi32>, %m: tensor<64xi8>) {
  // expected-error @+1 {{'tile.atomic_rmw' op has truth values of type 'i8', which must be i1}}
  %0 = tile.atomic_rmw add %p, %x, %m relaxed device : tensor<64x!llvm.ptr>, tensor<64xi32>, tensor<64xi8>
  return
}

// -----
func.func @view_rank(%p: !llvm.ptr, %n: i32) {
  // expected-error @+1 {{'tile.view_load' op needs one extent, one stride and one start for each of 2 dimensions}}
  %0 = tile.view_load %p extents(%n, %n) strides(%n, %n) starts(%n) padding zero {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : (i32, i32) (i32, i32) (i32) -> tensor<64x64xf32>
  return
}

// -----
func.func @wait_reason(%p: tensor<64x!llvm.ptr>) {
  // expected-error @+1 {{'tile.load' op attribute 'waits' failed to satisfy constraint: why a loop waits for what it reads of an operand}}
  %0 = tile.load %p {waits = "uses"} : tensor<64x!llvm.ptr> -> tensor<64xf32>
  return
}

// -----
func.func @view_statics(%p: !llvm.ptr, %n: i32, %x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile.view_store' op needs one static extent and one static stride, or -1, for each of 2 dimensions}}
  tile.view_store %x, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1>}
      : tensor<64x64xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @convert_layout(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{'tile.convert_layout' op has shapes [8, 8] and [64], which must be one}}
  %0 = tile.convert_layout %x : tensor<8x8xf32> -> tensor<64xf32>
  return
}

// -----
func.func @shared_store(%x: tensor<32xf32>, %s: !tile.shared<64xf32, 0, 0, 0>) {
  // expected-error @+1 {{'tile.shared_store' op needs a tile of the shared tile's shape, or one start per dimension}}
  tile.shared_store %x, %s : tensor<32xf32>, !tile.shared<64xf32, 0, 0, 0>
  return
}

// -----
func.func @shared_load(%s: !tile.shared<64xf32, 0, 0, 0>) {
  // expected-error @+1 {{'tile.shared_load' op has element types 'f16' and 'f32', which must be one}}
  %0 = tile.shared_load %s : !tile.shared<64xf32, 0, 0, 0> -> tensor<64xf16>
  return
}

// -----
func.func @shared_mma(%a: !tile.shared<16x16xf16, 0, 0, 0>, %b: !tile.shared<8x16xf16, 0, 0, 0>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{'tile.shared_mma' op multiplies [16, 16] by [8, 16] and adds [16, 8]}}
  %0 = tile.shared_mma m16n8k16 %a, %b, %c : !tile.shared<16x16xf16, 0, 0, 0>, !tile.shared<8x16xf16, 0, 0, 0>, tensor<16x8xf32>
  return
}

// -----
func.func @panels_for_warps(%a: !tile.shared<64x64xf16, panels>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile.shared_mma' op has operands in panels for wgmma, and for nothing else}}
  %0 = tile.shared_mma m16n8k16 %a, %a, %c : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
  return
}

// -----
func.func @in_flight(%a: !tile.shared<64x64xf16, panels>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @+1 {{'tile.shared_mma' op is left in flight by a loop that carries nothing but its accumulator from mma_begin to mma_finish, and waits for the one before}}
  %0 = tile.shared_mma wgmma %a, %a, %c {inFlight} : !tile.shared<64x64xf16, panels>, !tile.shared<64x64xf16, panels>, tensor<64x64xf32>
  tile.mma_wait 1
  return %0 : tensor<64x64xf32>
}

// -----
func.func @ends_of_other_rows(%s: !tile.shared<64x64xf16, panels>, %ends: !tile.shared<128xi32, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  // expected-error @+1 {{'tile.copy_async' op has ends of 16 bytes for each row}}
  tile.copy_async %s, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) ends %ends : !tile.shared<128xi32, 0, 0, 0> {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x64xf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @shift_of_other_rows(%s: !tile.shared<64x64xf16, panels>, %ends: !tile.shared<128xi32, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  // expected-error @+1 {{'tile.shift_rows' op has the tile's elements, and ends of 16 bytes for each row}}
  tile.shift_rows %s, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) ends %ends : !tile.shared<128xi32, 0, 0, 0> : !tile.shared<64x64xf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @map_of_other_boxes(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>, %buffer: !tile.shared<8xi32, 0, 0, 0>, %ring: !tile.shared<64x64xf16, panels>) {
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %q extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  %r = tile.init_barriers %buffer of %m stages 2 copies 1 : !tile.shared<8xi32, 0, 0, 0>
  %s = tile.shared_slot %ring[%n : i32] : !tile.shared<64x64xf16, panels>
  // expected-error @+1 {{'tile.copy_async' op has a map for other boxes}}
  tile.copy_async %s, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) by %m at %r {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x64xf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @map_of_another_ring(%p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>, %buffer: !tile.shared<8xi32, 0, 0, 0>, %ring: !tile.shared<64x64xf16, panels>) {
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  %o = tile.make_tensor_map 1 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  %r = tile.init_barriers %buffer of %o stages 2 copies 1 : !tile.shared<8xi32, 0, 0, 0>
  %s = tile.shared_slot %ring[%n : i32] : !tile.shared<64x64xf16, panels>
  // expected-error @+1 {{'tile.copy_async' op arrives at the slot of a ring that knows its map}}
  tile.copy_async %s, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) by %m at %r {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : !tile.shared<64x64xf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @row_of_no_producer(%p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>, %buffer: !tile.shared<8xi32, 0, 0, 0>, %ring: !tile.shared<64xf32, 0, 0, 0>) {
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  %r = tile.init_barriers %buffer of %m stages 2 copies 2 : !tile.shared<8xi32, 0, 0, 0>
  %s = tile.shared_slot %ring[%n : i32] : !tile.shared<64xf32, 0, 0, 0>
  // expected-error @+1 {{'tile.copy_async' op copies a row of whole chunks to the slot of a ring that a warp fills if it has barriers and no map}}
  tile.copy_async %s, %p extents(%n) strides(%n) starts(%n) at %r {access = #tile.access<4 along 0, aligned = false, bounds = [checked]>} : !tile.shared<64xf32, 0, 0, 0> (i32) (i32) (i32)
  return
}

// -----
func.func @map_without_panels(%p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>) {
  // expected-error @+1 {{'tile.make_tensor_map' op is for tiles in panels, and boxes with their rows}}
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, 3, 3, 3> : (i32, i32) (i32, i32)
  return
}

// -----
func.func @map_of_tall_boxes(%p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>) {
  // expected-error @+1 {{'tile.make_tensor_map' op has boxes of up to 256 elements along a dimension}}
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<512x64xf16, panels> : (i32, i32) (i32, i32)
  return
}

// -----
func.func @found_for_no_producer(%p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>) {
  // expected-error @+1 {{'tile.make_tensor_map' op has a finder where the kernel makes it for a producer warp}}
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> {finder = 5 : i64} : (i32, i32) (i32, i32)
  return
}

// -----
func.func @one_stage(%p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>, %buffer: !tile.shared<8xi32, 0, 0, 0>) {
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  // expected-error @+1 {{'tile.init_barriers' op has maps or readers, stages and copies}}
  %r = tile.init_barriers %buffer of %m stages 0 copies 1 : !tile.shared<8xi32, 0, 0, 0>
  return
}

// -----
// expected-error @+1 {{panels have rows of 32 bytes or more, in eights, of a tile of two dimensions}}
func.func @panels(%a: !tile.shared<64x8xf16, panels>) {
  return
}

// -----
func.func @field(%a: !llvm.ptr, %i: i32) {
  // expected-error @+1 {{'tile.field' op names 2 indices and has 1}}
  %0 = tile.field %a ".rows[#][#]"[%i] as "int" : (i32) -> i32
  return
}

// -----
func.func @warp_without_maps(%p: !llvm.ptr, %n: i32, %buffer: !tile.shared<8xi32, 0, 0, 0>) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> : (i32, i32) (i32, i32)
  // expected-error @+1 {{'tile.init_barriers' op is filled by a warp where bulk copies do all of it}}
  %r = tile.init_barriers %buffer of %m stages 2 copies 1 {readers = 1 : i64} : !tile.shared<8xi32, 0, 0, 0>
  return
}

// -----
func.func @wait_of_no_warp(%p: !llvm.ptr, %n: i32, %buffer: !tile.shared<8xi32, 0, 0, 0>) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> {needed} : (i32, i32) (i32, i32)
  %r = tile.init_barriers %buffer of %m stages 2 copies 1 : !tile.shared<8xi32, 0, 0, 0>
  // expected-error @+1 {{'tile.producer_acquire' op is for a ring that a warp of its own fills}}
  tile.producer_acquire %r[%n : i32]
  return
}

// -----
func.func @release_of_no_warp(%p: !llvm.ptr, %n: i32, %buffer: !tile.shared<8xi32, 0, 0, 0>) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xf16, panels> {needed} : (i32, i32) (i32, i32)
  %r = tile.init_barriers %buffer of %m stages 2 copies 1 : !tile.shared<8xi32, 0, 0, 0>
  // expected-error @+1 {{'tile.consumer_release' op is for a ring that a warp of its own fills}}
  tile.consumer_release %r[%n : i32]
  return
}

// -----
func.func @parts_without_given_tensor_map(%x: tensor<128x256xbf16>, %panels: !tile.shared<128x64xbf16, panels>, %p: !llvm.ptr, %n: i32, %scratch: !tile.shared<32xi32, 0, 0, 0>) {
  %m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xbf16, panels> : (i32, i32) (i32, i32)
  // expected-error @+1 {{'tile.store_parts' op goes by a map that the launch gives}}
  tile.store_parts %x, %panels, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) by %m : tensor<128x256xbf16>, !tile.shared<128x64xbf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @parts_that_do_not_fit(%x: tensor<64x256xbf16>, %panels: !tile.shared<128x64xbf16, panels>, %p: !llvm.ptr, %n: i32) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %n) for !tile.shared<64x64xbf16, panels> : (i32, i32) (i32, i32)
  // expected-error @+1 {{'tile.store_parts' op has rows and columns, of which panels hold a part}}
  tile.store_parts %x, %panels, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) by %m : tensor<64x256xbf16>, !tile.shared<128x64xbf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----
func.func @parts_of_other_boxes(%x: tensor<128x256xbf16>, %panels: !tile.shared<128x64xbf16, panels>, %p: !llvm.ptr, %n: i32) {
  %m = tile.make_tensor_map 0 given 0, %p extents(%n, %n) strides(%n, %n) for !tile.shared<128x64xbf16, panels> : (i32, i32) (i32, i32)
  // expected-error @+1 {{'tile.store_parts' op has a map for other boxes}}
  tile.store_parts %x, %panels, %p extents(%n, %n) strides(%n, %n) starts(%n, %n) by %m : tensor<128x256xbf16>, !tile.shared<128x64xbf16, panels> (i32, i32) (i32, i32) (i32, i32)
  return
}

// -----

func.func @transposed_otherwise(%from: !tile.shared<64x128xf8E4M3FN, panels>, %to: !tile.shared<64x128xf8E4M3FN, panels>, %r: !tile.barriers, %slot: i32) {
  // expected-error @+1 {{'tile.transpose_stage' op takes two tiles of bytes of which one is the transpose of the other, in blocks of 32 rows and 16 columns}}
  tile.transpose_stage %from, %to at %r[%slot : i32] : !tile.shared<64x128xf8E4M3FN, panels>, !tile.shared<64x128xf8E4M3FN, panels>
  return
}
