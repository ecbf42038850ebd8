// Exchanges that do not wait for one another are stored before any is loaded, and repeated ones are
// left out.
// RUN: %tessera-opt --tile-lower-to-shared %s | FileCheck %s
// RUN: %tessera-opt --tile-lower-to-shared --tile-insert-barriers %s | FileCheck %s --check-prefix=BARRIERS

#layout = #tile.layout<[1, 2, 512], [4, 8, 16, 32, 64], [128, 256]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0, 0]>

// CHECK-LABEL: func.func @sum_and_maximum
// CHECK-SAME: tile.shared_bytes = 144
// CHECK: %[[SUM:.*]] = tile.reduce sum
// CHECK: tile.shared_store %[[SUM]], %[[S:.*]] :
// CHECK: %[[MAX:.*]] = tile.reduce max
// CHECK: tile.shared_store %[[MAX]], %[[T:.*]] :
// CHECK-NEXT: tile.shared_load %[[S]]
// CHECK: tile.shared_load %[[T]]
// BARRIERS-LABEL: func.func @sum_and_maximum
// BARRIERS: tile.barrier
// BARRIERS-NOT: tile.barrier
// BARRIERS: return
func.func @sum_and_maximum(%x: tensor<1024xf32, #layout>) -> (tensor<1xf32, #one>, tensor<1xf32, #one>) attributes {tile.config = #tile.config<warps = 4>} {
  %s = tile.reduce sum %x along 0 : tensor<1024xf32, #layout> -> tensor<1xf32, #one>
  %m = tile.reduce max %x along 0 : tensor<1024xf32, #layout> -> tensor<1xf32, #one>
  return %s, %m : tensor<1xf32, #one>, tensor<1xf32, #one>
}

// The scan of a tile needs the totals of the warps that its sum has.
// CHECK-LABEL: func.func @sum_and_scan
// CHECK-SAME: tile.shared_bytes = 16
// CHECK: tile.shared_store
// CHECK-NOT: tile.shared_store
// CHECK: %[[TOTALS:.*]] = tile.shared_load
// CHECK: tile.scan_carry {{.*}}, %[[TOTALS]]
func.func @sum_and_scan(%x: tensor<1024xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], [256, 512]>>)
    -> (tensor<1xf32, #one>, tensor<1024xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], [256, 512]>>) attributes {tile.config = #tile.config<warps = 4>} {
  %s = tile.reduce sum %x along 0 : tensor<1024xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], [256, 512]>> -> tensor<1xf32, #one>
  %y = tile.scan sum %x along 0 : tensor<1024xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], [256, 512]>>
  return %s, %y : tensor<1xf32, #one>, tensor<1024xf32, #tile.layout<[1, 2, 128], [4, 8, 16, 32, 64], [256, 512]>>
}

// The place of an extreme goes along with its value.
// CHECK-LABEL: func.func @place
// CHECK: tile.shared_store
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_load
// CHECK: tile.shared_load
func.func @place(%x: tensor<1024xf32, #layout>) -> tensor<1xi32, #one> attributes {tile.config = #tile.config<warps = 4>} {
  %s = tile.reduce argmax %x along 0 : tensor<1024xf32, #layout> -> tensor<1xi32, #one>
  return %s : tensor<1xi32, #one>
}

// The second exchange waits for the first: the sum of distances from the maximum.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_load
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_load
// BARRIERS-LABEL: func.func @one_after_the_other
// BARRIERS-COUNT-3: tile.barrier
func.func @one_after_the_other(%x: tensor<1024xf32, #layout>) -> tensor<1xf32, #one> attributes {tile.config = #tile.config<warps = 4>} {
  %m = tile.reduce max %x along 0 : tensor<1024xf32, #layout> -> tensor<1xf32, #one>
  %b = tile.broadcast %m : tensor<1xf32, #one> -> tensor<1024xf32, #layout>
  %d = arith.subf %x, %b : tensor<1024xf32, #layout>
  %s = tile.reduce sum %d along 0 : tensor<1024xf32, #layout> -> tensor<1xf32, #one>
  return %s : tensor<1xf32, #one>
}

// A read of memory stands between: nothing moves across it that needs what it reads.
// CHECK-LABEL: func.func @behind_a_load
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_load
// CHECK: tile.load
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_load
func.func @behind_a_load(%x: tensor<1024xf32, #layout>, %p: tensor<1024x!llvm.ptr, #layout>) -> (tensor<1xf32, #one>, tensor<1xf32, #one>) attributes {tile.config = #tile.config<warps = 4>} {
  %s = tile.reduce sum %x along 0 : tensor<1024xf32, #layout> -> tensor<1xf32, #one>
  %y = tile.load %p : tensor<1024x!llvm.ptr, #layout> -> tensor<1024xf32, #layout>
  %m = tile.reduce max %y along 0 : tensor<1024xf32, #layout> -> tensor<1xf32, #one>
  return %s, %m : tensor<1xf32, #one>, tensor<1xf32, #one>
}
