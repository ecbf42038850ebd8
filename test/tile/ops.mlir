// The example of every op, as text: what is printed is what was read, twice over, and the generic form agrees.
// RUN: %tessera-opt %s | FileCheck %s
// RUN: %tessera-opt %s > %t.once
// RUN: %tessera-opt %t.once | diff %t.once -
// RUN: %tessera-opt --mlir-print-op-generic %s | %tessera-opt | diff %t.once -

#a = #tile.layout<[1, 2], [4, 8, 16, 32, 0], []>
#b = #tile.layout<[], [1, 2, 4, 8, 16], [32]>

// CHECK-LABEL: func.func @values
func.func @values(%s: f32, %x: tensor<64xf32>, %one: tensor<1x1xf32>, %m: tensor<64xi1>) {
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<64xf32>
  %0 = tile.splat %s : f32 -> tensor<64xf32>
  // CHECK: tile.scalar %{{.*}} : tensor<1x1xf32> -> f32
  %1 = tile.scalar %one : tensor<1x1xf32> -> f32
  // CHECK: tile.iota : tensor<64xi32>
  %2 = tile.iota : tensor<64xi32>
  // CHECK: tile.unary exp2 %{{.*}} : tensor<64xf32>
  %3 = tile.unary exp2 %x : tensor<64xf32>
  // CHECK: tile.unary sqrt %{{.*}} {flush, rounding = #tile<rounding approximate>} : f32
  %4 = tile.unary sqrt %s {rounding = #tile<rounding approximate>, flush} : f32
  // CHECK: tile.binary add %{{.*}}, %{{.*}} : tensor<64xf32>
  %5 = tile.binary add %x, %0 : tensor<64xf32>
  // CHECK: tile.binary div %{{.*}}, %{{.*}} {isUnsigned} : tensor<64xi32>
  %6 = tile.binary div %2, %2 {isUnsigned} : tensor<64xi32>
  // CHECK: tile.fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xf32>
  %7 = tile.fma %x, %x, %x : tensor<64xf32>
  // CHECK: tile.compare lt %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<64xi1>
  %8 = tile.compare lt %x, %x : tensor<64xf32> -> tensor<64xi1>
  // CHECK: tile.classify isnan %{{.*}} : tensor<64xf32> -> tensor<64xi1>
  %9 = tile.classify isnan %x : tensor<64xf32> -> tensor<64xi1>
  // CHECK: tile.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xi1>, tensor<64xf32>
  %10 = tile.select %m, %x, %x : tensor<64xi1>, tensor<64xf32>
  // CHECK: tile.cast %{{.*}} : tensor<64xf32> -> tensor<64xbf16>
  %11 = tile.cast %x : tensor<64xf32> -> tensor<64xbf16>
  // CHECK: tile.bitcast %{{.*}} : tensor<64xf32> -> tensor<64xi32>
  %12 = tile.bitcast %x : tensor<64xf32> -> tensor<64xi32>
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<64xf32>, %column: tensor<64x1xf32>, %wide: tensor<64x32xf32>, %square: tensor<8x8xf32>, %half: tensor<8x4xf32>,
                  %quarter: tensor<4x4xf32>, %i: i32) {
  // CHECK: tile.reshape %{{.*}} : tensor<64xf32> -> tensor<8x8xf32>
  %0 = tile.reshape %x : tensor<64xf32> -> tensor<8x8xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<64x1xf32> -> tensor<64x32xf32>
  %1 = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x32xf32>
  // CHECK: tile.permute %{{.*}} [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %2 = tile.permute %wide [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} along 1 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x8xf32>
  %3 = tile.cat %half, %half along 1 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x8xf32>
  // CHECK: tile.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x8xf32> -> tensor<4x4xf32>
  %4 = tile.extract %square[%i, %i] : tensor<8x8xf32> -> tensor<4x4xf32>
  // CHECK: tile.insert %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<4x4xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %5 = tile.insert %quarter, %square[%i, %i] : tensor<4x4xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @along
func.func @along(%x: tensor<64xf32>, %wide: tensor<64x32xf32>, %p: tensor<64x32xbf16>, %q: tensor<32x64xbf16>, %c: tensor<64x64xf32>) {
  // CHECK: tile.reduce sum %{{.*}} along 1 : tensor<64x32xf32> -> tensor<64x1xf32>
  %0 = tile.reduce sum %wide along 1 : tensor<64x32xf32> -> tensor<64x1xf32>
  // CHECK: tile.reduce max %{{.*}} along 1 : tensor<64x32xf32> -> tensor<64x4xf32>
  %1 = tile.reduce max %wide along 1 : tensor<64x32xf32> -> tensor<64x4xf32>
  // CHECK: tile.reduce argmax %{{.*}} along 0 : tensor<64x32xf32> -> tensor<1x32xi32>
  %2 = tile.reduce argmax %wide along 0 : tensor<64x32xf32> -> tensor<1x32xi32>
  // CHECK: tile.scan sum %{{.*}} along 0 {backward} : tensor<64xf32>
  %3 = tile.scan sum %x along 0 {backward} : tensor<64xf32>
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
  %4 = tile.mma %p, %q, %c : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
  return
}

// CHECK-LABEL: func.func @pointers
func.func @pointers(%p: tensor<64x!llvm.ptr>, %n: tensor<64xi32>, %x: tensor<64xf32>, %m: tensor<64xi1>, %s: !llvm.ptr) {
  // CHECK: tile.offset %{{.*}}, %{{.*}} of f32 : tensor<64x!llvm.ptr>, tensor<64xi32>
  %0 = tile.offset %p, %n of f32 : tensor<64x!llvm.ptr>, tensor<64xi32>
  // CHECK: tile.difference %{{.*}}, %{{.*}} of f32 : tensor<64x!llvm.ptr> -> tensor<64xi64>
  %1 = tile.difference %p, %0 of f32 : tensor<64x!llvm.ptr> -> tensor<64xi64>
  // CHECK: tile.load %{{.*}} : tensor<64x!llvm.ptr> -> tensor<64xf32>
  %2 = tile.load %p : tensor<64x!llvm.ptr> -> tensor<64xf32>
  // CHECK: tile.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!llvm.ptr>, tensor<64xi1>, tensor<64xf32> -> tensor<64xf32>
  %3 = tile.load %p, %m, %x : tensor<64x!llvm.ptr>, tensor<64xi1>, tensor<64xf32> -> tensor<64xf32>
  // CHECK: tile.load %{{.*}} : !llvm.ptr -> f32
  %4 = tile.load %s : !llvm.ptr -> f32
  // CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64x!llvm.ptr>
  tile.store %x, %p : tensor<64xf32>, tensor<64x!llvm.ptr>
  // CHECK: tile.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64x!llvm.ptr>, tensor<64xi1>
  tile.store %x, %p, %m : tensor<64xf32>, tensor<64x!llvm.ptr>, tensor<64xi1>
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}}, %{{.*}} relaxed device : tensor<64x!llvm.ptr>, tensor<64xi32>, tensor<64xi1>
  %5 = tile.atomic_rmw add %p, %n, %m relaxed device : tensor<64x!llvm.ptr>, tensor<64xi32>, tensor<64xi1>
  // CHECK: tile.atomic_compare_exchange %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} acq_rel block : tensor<64x!llvm.ptr>, tensor<64xi32>, tensor<64xi1>
  %6 = tile.atomic_compare_exchange %p, %n, %n, %m acq_rel block : tensor<64x!llvm.ptr>, tensor<64xi32>, tensor<64xi1>
  // CHECK: tile.atomic_load %{{.*}}, %{{.*}} acquire device : tensor<64x!llvm.ptr>, tensor<64xi1> -> tensor<64xi32>
  %7 = tile.atomic_load %p, %m acquire device : tensor<64x!llvm.ptr>, tensor<64xi1> -> tensor<64xi32>
  // CHECK: tile.atomic_store %{{.*}}, %{{.*}}, %{{.*}} release system : tensor<64xi32>, tensor<64x!llvm.ptr>, tensor<64xi1>
  tile.atomic_store %n, %p, %m release system : tensor<64xi32>, tensor<64x!llvm.ptr>, tensor<64xi1>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%p: !llvm.ptr, %n: i32, %ld: i64, %one: i64, %i: i32) {
  // CHECK: tile.view_load %{{.*}} extents(%{{.*}}, %{{.*}}) strides(%{{.*}}, %{{.*}}) starts(%{{.*}}, %{{.*}}) padding negative_inf {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<128x64xbf16>
  %0 = tile.view_load %p extents(%n, %n) strides(%ld, %one) starts(%i, %i) padding negative_inf
      {staticExtents = array<i64: -1, 64>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i64, i64) (i32, i32) -> tensor<128x64xbf16>
  // CHECK: tile.view_store %{{.*}}, %{{.*}} extents(%{{.*}}, %{{.*}}) strides(%{{.*}}, %{{.*}}) starts(%{{.*}}, %{{.*}}) {access = #tile.access<8 along 1, aligned = true, bounds = [inside, inside]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : tensor<128x64xbf16>(i32, i32) (i64, i64) (i32, i32)
  tile.view_store %0, %p extents(%n, %n) strides(%ld, %one) starts(%i, %i)
      {access = #tile.access<8 along 1, aligned = true, bounds = [inside, inside]>, staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<128x64xbf16> (i32, i32) (i64, i64) (i32, i32)
  return
}

// CHECK-LABEL: func.func @arrays_grid_output
func.func @arrays_grid_output(%i: i64, %p: !llvm.ptr) {
  // CHECK: tile.local_alloc 4 of tensor<64xf32> : !llvm.ptr
  %0 = tile.local_alloc 4 of tensor<64xf32> : !llvm.ptr
  // CHECK: tile.local_load %{{.*}}[%{{.*}}] : i64 -> tensor<64xf32>
  %1 = tile.local_load %0[%i] : i64 -> tensor<64xf32>
  // CHECK: tile.local_store %{{.*}}, %{{.*}}[%{{.*}}] : tensor<64xf32>, i64
  tile.local_store %1, %0[%i] : tensor<64xf32>, i64
  // CHECK: %[[X:.*]] = tile.block_index 0
  %2 = tile.block_index 0
  // CHECK: tile.grid_size 1
  %3 = tile.grid_size 1
  // CHECK: tile.field %{{.*}} ".rows[#].first"[%{{.*}}] as "unsigned int" {isUnsigned} : (i32) -> i32
  %f = tile.field %p ".rows[#].first"[%2] as "unsigned int" {isUnsigned} : (i32) -> i32
  // CHECK: tile.assume %{{.*}} {aligned = 16 : i64} : !llvm.ptr
  %4 = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  // CHECK: %[[HOLDS:.*]] = arith.constant true
  %5 = arith.constant true
  // CHECK: tile.inside %{{.*}}, %[[HOLDS]] : !llvm.ptr, i1
  %6 = tile.inside %p, %5 : !llvm.ptr, i1
  // CHECK: tile.check %[[HOLDS]], "i is %lld"(%{{.*}}) : i1, i64
  tile.check %5, "i is %lld"(%i) : i1, i64
  // CHECK: tile.print "%d\0A"(%[[X]]) : i32
  tile.print "%d\n"(%2) : i32
  // CHECK: tile.trap "x > 0"
  tile.trap "x > 0"
  return
}

// CHECK-LABEL: func.func @plan
func.func @plan(%x: tensor<64xf32, #a>, %p: !llvm.ptr, %n: i32, %ld: i64, %one: i64, %i: i32, %when: i1, %c: tensor<16x8xf32>) {
  // CHECK: tile.convert_layout %{{.*}} : tensor<64xf32, #tile.layout<[1, 2], [4, 8, 16, 32, 0], []>> -> tensor<64xf32, #tile.layout<[], [1, 2, 4, 8, 16], [32]>>
  %0 = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  // CHECK: tile.shared_alloc : <64xf32, 0, 0, 0>
  %1 = tile.shared_alloc : !tile.shared<64xf32, 0, 0, 0>
  // CHECK: tile.shared_store %{{.*}}, %{{.*}} : tensor<64xf32, #tile.layout<{{.*}}>>, <64xf32, 0, 0, 0>
  tile.shared_store %x, %1 : tensor<64xf32, #a>, !tile.shared<64xf32, 0, 0, 0>
  // CHECK: tile.shared_load %{{.*}}[%{{.*}}] : <64xf32, 0, 0, 0> -> tensor<32xf32>
  %2 = tile.shared_load %1[%i] : !tile.shared<64xf32, 0, 0, 0> -> tensor<32xf32>
  // CHECK: %[[RING:.*]] = tile.shared_alloc stages 3 {offset = 256 : i64} : <16x16xbf16, 1, 3, 3>
  %3 = tile.shared_alloc stages 3 {offset = 256 : i64} : !tile.shared<16x16xbf16, 1, 3, 3>
  // CHECK: %[[SLOT:.*]] = tile.shared_slot %[[RING]][%{{.*}} : i32] : <16x16xbf16, 1, 3, 3>
  %4 = tile.shared_slot %3[%i : i32] : !tile.shared<16x16xbf16, 1, 3, 3>
  // CHECK: tile.copy_async %[[SLOT]], %{{.*}} extents(%{{.*}}, %{{.*}}) strides(%{{.*}}, %{{.*}}) starts(%{{.*}}, %{{.*}}) when %{{.*}} {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>} : <16x16xbf16, 1, 3, 3>(i32, i32) (i64, i64) (i32, i32)
  tile.copy_async %4, %p extents(%n, %n) strides(%ld, %one) starts(%i, %i) when %when {access = #tile.access<8 along 1, aligned = false, bounds = [checked, checked]>}
      : !tile.shared<16x16xbf16, 1, 3, 3> (i32, i32) (i64, i64) (i32, i32)
  // CHECK: tile.commit_group
  tile.commit_group
  // CHECK: tile.wait_group 1
  tile.wait_group 1
  // CHECK: tile.barrier{{$}}
  tile.barrier
  // CHECK: tile.barrier of 8
  tile.barrier of 8
  // CHECK: tile.shared_mma m16n8k16 %[[SLOT]], %{{.*}}, %{{.*}} {bTransposed} : !tile.shared<16x16xbf16, 1, 3, 3>, <8x16xbf16, 0, 0, 0>, tensor<16x8xf32>
  %5 = tile.shared_alloc : !tile.shared<8x16xbf16, 0, 0, 0>
  %6 = tile.shared_mma m16n8k16 %4, %5, %c {bTransposed} : !tile.shared<16x16xbf16, 1, 3, 3>, !tile.shared<8x16xbf16, 0, 0, 0>, tensor<16x8xf32>
  return
}
