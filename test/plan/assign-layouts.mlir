// Every tile gets a layout; a conversion stands only where two layouts meet, and nothing is converted that is as easily computed again.
// RUN: %tessera-opt --tile-assign-layouts %s | FileCheck %s

// Memory decides: sixteen bytes a thread. What is computed by element keeps that layout, and so does the store.
// CHECK-LABEL: func.func @elementwise
// CHECK: tile.view_load {{.*}} -> tensor<1024xf32, #[[L:tile.layout<\[1, 2, 512\], \[4, 8, 16, 32, 64\], \[128, 256\]>]]>
// CHECK-NEXT: tile.cast %{{.*}} : tensor<1024xf32, #[[L:.*]]> -> tensor<1024xf64, #[[L]]>
// CHECK-NEXT: tile.cast %{{.*}} : tensor<1024xf64, #[[L]]> -> tensor<1024xf32, #[[L]]>
// CHECK-NEXT: tile.view_store %{{.*}} : tensor<1024xf32, #[[L]]>
func.func @elementwise(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%n) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : (i32) (i32) (i32) -> tensor<1024xf32>
  %y = tile.cast %x : tensor<1024xf32> -> tensor<1024xf64>
  %z = tile.cast %y : tensor<1024xf64> -> tensor<1024xf32>
  tile.view_store %z, %p extents(%n) strides(%c1) starts(%n) {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : tensor<1024xf32> (i32) (i32) (i32)
  return
}

// The accumulator is as the instruction wants it: a 16x8 tile in four registers of each lane, two columns side by side. Rows of 32 bf16
// written four bytes a thread fill no sector of memory: they are brought into the layout of rows first.
// CHECK-LABEL: func.func @accumulator
// CHECK-SAME: #tile.config<warps = 4
// CHECK: tile.shared_mma m16n8k16 {{.*}}, tensor<64x64xf32, #tile.layout<[1, 512, {{.*}}], [2, 4, 64, 128, 256], [{{.*}}]>>
// CHECK: %[[X:.*]] = tile.cast
// CHECK: %[[ROWS:.*]] = tile.convert_layout %[[X]] : tensor<64x64xbf16, #[[FROM:.*]]> -> tensor<64x64xbf16, #tile.layout<[1, 2, 4, {{.*}}], [8, 16, 32, 64, 128], [{{.*}}]>>
// CHECK: tile.view_store %[[ROWS]]
func.func @accumulator(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %e = tile.cast %d : tensor<64x64xf32> -> tensor<64x64xbf16>
  tile.view_store %e, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xbf16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// A reduction leaves its result where its operand was, with copies in the threads that shared the work; a broadcast of it costs nothing.
// CHECK-LABEL: func.func @softmax_of_rows
// CHECK: %[[X:.*]] = tile.view_load {{.*}} -> tensor<4x128xf32, #[[L:.*]]>
// CHECK-NEXT: %[[M:.*]] = tile.reduce max %[[X]] along 1 : tensor<4x128xf32, #[[L]]> -> tensor<4x1xf32, #tile.layout<[1, 2], [0, 0, 0, 0, 0], []>>
// CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[M]] : {{.*}} -> tensor<4x128xf32, #[[L]]>
// CHECK-NEXT: tile.binary sub %[[X]], %[[B]] : tensor<4x128xf32, #[[L]]>
// CHECK-NOT: tile.convert_layout
func.func @softmax_of_rows(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) padding negative_inf
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<4x128xf32>
  %max = tile.reduce max %x along 1 : tensor<4x128xf32> -> tensor<4x1xf32>
  %all = tile.broadcast %max : tensor<4x1xf32> -> tensor<4x128xf32>
  %y = tile.binary sub %x, %all : tensor<4x128xf32>
  tile.view_store %y, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<4x128xf32> (i32, i32) (i32, i32) (i32, i32)
  return
}

// Indices that two layouts want are counted twice; only the sum, which holds a product, is converted.
// CHECK-LABEL: func.func @indices
// CHECK: %[[I:.*]] = tile.iota : tensor<64x64xi16, #[[ACCUMULATOR:.*]]>
// CHECK: tile.binary add %[[I]], %{{.*}} : tensor<64x64xi16, #[[ACCUMULATOR]]>
// CHECK: %[[J:.*]] = tile.iota : tensor<64x64xi16, #[[ROWS:tile.layout<\[1, 2, .*]]>
// CHECK: tile.view_store %[[J]]
// CHECK: tile.convert_layout {{.*}} -> tensor<64x64xi16, #[[ROWS]]>
// CHECK-NOT: tile.convert_layout
func.func @indices(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c1 = arith.constant 1 : i32
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %e = tile.cast %d : tensor<64x64xf32> -> tensor<64x64xi16>
  %i = tile.iota : tensor<64x64xi16>
  %sum = tile.binary add %i, %e : tensor<64x64xi16>
  tile.view_store %i, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xi16> (i32, i32) (i32, i32) (i32, i32)
  tile.view_store %sum, %p extents(%n, %n) strides(%n, %c1) starts(%n, %n) {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: -1, 1>}
      : tensor<64x64xi16> (i32, i32) (i32, i32) (i32, i32)
  return
}

// So are indices behind a reshape, a broadcast or a permutation, which cost nothing: the numbers of rows seen as those of columns.
// CHECK-LABEL: func.func @indices_in_another_shape
// CHECK: tile.iota : tensor<64x1xi32, #[[COLUMN:.*]]>
// CHECK: tile.shared_mma
// CHECK: tile.iota : tensor<64x1xi32, #[[ROW:.*]]>
// CHECK-NEXT: tile.reshape %{{.*}} : tensor<64x1xi32, #[[ROW]]> -> tensor<1x64xi32, #[[ROW]]>
// CHECK-NEXT: tile.broadcast
// CHECK: tile.iota : tensor<64x1xi32, #[[ROW]]>
// CHECK-NEXT: tile.broadcast
// CHECK-NEXT: tile.permute
// CHECK-NOT: tile.convert_layout
// CHECK: return
func.func @indices_in_another_shape(%a: !tile.shared<64x16xf16, 0, 0, 0>, %b: !tile.shared<16x64xf16, 0, 0, 0>, %p: !llvm.ptr) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %row = tile.iota : tensor<64x1xi32>
  %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
  %base = tile.splat %p : !llvm.ptr -> tensor<64x64x!llvm.ptr>
  %pointers = tile.offset %base, %rows of i32 : tensor<64x64x!llvm.ptr>, tensor<64x64xi32>
  %x = tile.load %pointers : tensor<64x64x!llvm.ptr> -> tensor<64x64xi32>
  %d = tile.shared_mma m16n8k16 %a, %b, %zero : !tile.shared<64x16xf16, 0, 0, 0>, !tile.shared<16x64xf16, 0, 0, 0>, tensor<64x64xf32>
  %e = tile.cast %d : tensor<64x64xf32> -> tensor<64x64xi32>
  %column = tile.reshape %row : tensor<64x1xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %y = tile.binary add %e, %columns : tensor<64x64xi32>
  %transposed = tile.permute %rows [1, 0] : tensor<64x64xi32> -> tensor<64x64xi32>
  %z = tile.binary add %y, %transposed : tensor<64x64xi32>
  %w = tile.binary add %x, %z : tensor<64x64xi32>
  tile.store %w, %pointers : tensor<64x64xi32>, tensor<64x64x!llvm.ptr>
  return
}

// A row and a column that meet in a larger tile are loaded as that tile wants them, each element by several threads.
// CHECK-LABEL: func.func @pairs
// CHECK: tile.load {{.*}} -> tensor<32x1xf32, #[[COLUMN:.*]]>
// CHECK: tile.load {{.*}} -> tensor<1x32xf32, #[[ROW:.*]]>
// CHECK: tile.broadcast %{{.*}} : tensor<32x1xf32, #[[COLUMN]]> -> tensor<32x32xf32, #[[ALL:.*]]>
// CHECK: tile.broadcast %{{.*}} : tensor<1x32xf32, #[[ROW]]> -> tensor<32x32xf32, #[[ALL]]>
// CHECK: tile.reduce sum %{{.*}} along 1 : tensor<32x32xf32, #[[ALL]]> -> tensor<32x1xf32, #[[COLUMN]]>
// CHECK-NOT: tile.convert_layout
// CHECK: return
func.func @pairs(%p: !llvm.ptr) {
  %i = tile.iota : tensor<32x1xi32>
  %is = tile.splat %p : !llvm.ptr -> tensor<32x1x!llvm.ptr>
  %from = tile.offset %is, %i of f32 : tensor<32x1x!llvm.ptr>, tensor<32x1xi32>
  %x = tile.load %from : tensor<32x1x!llvm.ptr> -> tensor<32x1xf32>
  %j = tile.iota : tensor<1x32xi32>
  %js = tile.splat %p : !llvm.ptr -> tensor<1x32x!llvm.ptr>
  %to = tile.offset %js, %j of f32 : tensor<1x32x!llvm.ptr>, tensor<1x32xi32>
  %y = tile.load %to : tensor<1x32x!llvm.ptr> -> tensor<1x32xf32>
  %xs = tile.broadcast %x : tensor<32x1xf32> -> tensor<32x32xf32>
  %ys = tile.broadcast %y : tensor<1x32xf32> -> tensor<32x32xf32>
  %d = tile.binary sub %ys, %xs : tensor<32x32xf32>
  %sum = tile.reduce sum %d along 1 : tensor<32x32xf32> -> tensor<32x1xf32>
  tile.store %sum, %from : tensor<32x1xf32>, tensor<32x1x!llvm.ptr>
  return
}

// The last column is exchanged: in registers of its own every thread would hold a row.
// CHECK-LABEL: func.func @last_column
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<4x64xi64, #[[L:.*]]>
// CHECK-NOT: tile.convert_layout
// CHECK: tile.extract %[[X]][{{.*}}] : tensor<4x64xi64, #[[L]]> -> tensor<4x1xi64,
func.func @last_column(%base: !llvm.ptr) {
  %p = tile.splat %base : !llvm.ptr -> tensor<4x64x!llvm.ptr>
  %q = tile.splat %base : !llvm.ptr -> tensor<4x1x!llvm.ptr>
  %c0 = arith.constant 0 : i32
  %c63 = arith.constant 63 : i32
  %x = tile.load %p : tensor<4x64x!llvm.ptr> -> tensor<4x64xi64>
  %last = tile.extract %x[%c0, %c63] : tensor<4x64xi64> -> tensor<4x1xi64>
  tile.store %last, %q : tensor<4x1xi64>, tensor<4x1x!llvm.ptr>
  return
}

// But not of a tile that shared memory has no room for.
// CHECK-LABEL: func.func @last_column_of_many
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[WHOLE:.*]] = tile.convert_layout %[[X]]
// CHECK: tile.extract %[[WHOLE]]
func.func @last_column_of_many(%base: !llvm.ptr) {
  %p = tile.splat %base : !llvm.ptr -> tensor<256x512x!llvm.ptr>
  %q = tile.splat %base : !llvm.ptr -> tensor<256x1x!llvm.ptr>
  %c0 = arith.constant 0 : i32
  %c511 = arith.constant 511 : i32
  %x = tile.load %p : tensor<256x512x!llvm.ptr> -> tensor<256x512xf32>
  %last = tile.extract %x[%c0, %c511] : tensor<256x512xf32> -> tensor<256x1xf32>
  tile.store %last, %q : tensor<256x1xf32>, tensor<256x1x!llvm.ptr>
  return
}

// A loop-carried tile has one layout all the way round.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} -> (tensor<1024xf32, #[[L:.*]]>)
// CHECK: tile.load {{.*}} -> tensor<1024xf32, #[[L]]>
// CHECK: scf.yield %{{.*}} : tensor<1024xf32, #[[L]]>
// CHECK-NOT: tile.convert_layout
func.func @loop(%base: !llvm.ptr, %n: i32) {
  %p = tile.splat %base : !llvm.ptr -> tensor<1024x!llvm.ptr>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<1024xf32>) : i32 {
    %x = tile.load %p : tensor<1024x!llvm.ptr> -> tensor<1024xf32>
    %next = tile.binary add %sum, %x : tensor<1024xf32>
    scf.yield %next : tensor<1024xf32>
  }
  tile.store %s, %p : tensor<1024xf32>, tensor<1024x!llvm.ptr>
  return
}
