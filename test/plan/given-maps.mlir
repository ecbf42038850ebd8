// Where host code that is emitted, too, launches a kernel, it makes the maps of views that it can compute of the arguments. They cost the kernel nothing, so that a ring beside another block is filled by bulk copies, too.
// RUN: %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops %s | FileCheck %s
// RUN: sed "s/, tile.launched//" %s | %tessera-opt --tile-select-mma-instructions --tile-pipeline-loops | FileCheck %s --check-prefix=ALONE

// Who launches an image makes no maps, and two blocks of an SM make none for themselves.
// ALONE-NOT: make_tensor_map

module attributes {tile.target = #tile.target<"sm_90a">, tile.launched} {

// CHECK-LABEL: func.func @of_arguments
// CHECK: %[[MORE:.*]] = arith.addi %arg4, %arg3
// CHECK: %[[A:.*]] = tile.make_tensor_map 0 given 0, %arg0 extents(%arg3, %[[MORE]]) strides(%arg3, %c1{{.*}}) for !tile.shared<128x64xbf16, panels>
// CHECK: %[[B:.*]] = tile.make_tensor_map 1 given 1, %arg1 extents
// CHECK: tile.init_barriers %{{.*}} of %[[A]], %[[B]] stages 3 copies 2
// CHECK: tile.copy_async {{.*}} by %[[A]] at
func.func @of_arguments(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %more: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %extent = arith.addi %more, %ld : i32
    %x = tile.view_load %a extents(%ld, %extent) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

// Two loops that read the same share the maps.
// CHECK-LABEL: func.func @twice
// CHECK: make_tensor_map 0 given 0
// CHECK: make_tensor_map 1 given 1
// CHECK: make_tensor_map 0 given 0
// CHECK: make_tensor_map 1 given 1
func.func @twice(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %d = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %c) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c64, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c64) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %d : tensor<128x128xf32>
}

// What a block alone knows, what memory holds and a quotient that may have no value are no arguments.
// CHECK-LABEL: func.func @of_block
// CHECK-NOT: make_tensor_map
// CHECK-LABEL: func.func @of_memory
// CHECK-NOT: make_tensor_map
// CHECK-LABEL: func.func @of_quotient
// CHECK-NOT: make_tensor_map
func.func @of_block(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %ld: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %block = tile.block_index 2
  %base = llvm.getelementptr %a[%block] : (!llvm.ptr, i32) -> !llvm.ptr, bf16
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %base extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @of_memory(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %where: !llvm.ptr, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %ld = llvm.load %where : !llvm.ptr -> i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

func.func @of_quotient(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32, %m: i32, %by: i32, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %ld = arith.divui %m, %by : i32
  %c = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %init) -> (tensor<128x128xf32>) : i32 {
    %x = tile.view_load %a extents(%ld, %ld) strides(%ld, %c1) starts(%c0, %i) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<128x64xbf16>
    %y = tile.view_load %b extents(%ld, %ld) strides(%ld, %c1) starts(%i, %c0) padding zero
        {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<64x128xbf16>
    %next = tile.mma %x, %y, %sum : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  return %c : tensor<128x128xf32>
}

}
