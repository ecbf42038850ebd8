// A fold by one operation that reductions or scans know is of that kind. One whose sides may be
// exchanged is commutative.
// RUN: %tessera-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @kinds
// CHECK: tile.reduce sum %{{.*}} along 0 : tensor<64xf32> -> tensor<1xf32>
// CHECK: tile.reduce max %{{.*}} along 0 {isUnsigned} : tensor<64xi32> -> tensor<1xi32>
// CHECK: tile.reduce bit_xor %{{.*}} along 0 : tensor<64xi1> -> tensor<1xi1>
// CHECK: tile.scan prod %{{.*}} along 0 {backward} : tensor<64xf32>
// CHECK: tile.reduce min %{{.*}} along 0 : tensor<64xi32> -> tensor<1xi32>
// CHECK: tile.reduce max %{{.*}} along 0 {isUnsigned} : tensor<64xi8> -> tensor<1xi8>
func.func @kinds(%x: tensor<64xf32>, %i: tensor<64xi32>, %b: tensor<64xi1>, %c: tensor<64xi8>)
    -> (tensor<1xf32>, tensor<1xi32>, tensor<1xi1>, tensor<64xf32>, tensor<1xi32>, tensor<1xi8>) {
  %0 = tile.fold %x along 0 : (tensor<64xf32>) -> tensor<1xf32> {
  ^bb0(%element: f32, %accumulator: f32):
    %4 = arith.addf %element, %accumulator : f32
    tile.yield %4 : f32
  }
  %1 = tile.fold %i along 0 : (tensor<64xi32>) -> tensor<1xi32> {
  ^bb0(%element: i32, %accumulator: i32):
    %4 = arith.maxui %accumulator, %element : i32
    tile.yield %4 : i32
  }
  %2 = tile.fold %b along 0 : (tensor<64xi1>) -> tensor<1xi1> {
  ^bb0(%element: i1, %accumulator: i1):
    %4 = arith.xori %element, %accumulator : i1
    tile.yield %4 : i1
  }
  %3 = tile.fold scan %x along 0 {backward} : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%element: f32, %accumulator: f32):
    %4 = tile.binary mul %element, %accumulator : f32
    tile.yield %4 : f32
  }
  %4 = tile.fold %i along 0 : (tensor<64xi32>) -> tensor<1xi32> {
  ^bb0(%element: i32, %accumulator: i32):
    %5 = arith.cmpi sgt, %element, %accumulator : i32
    %6 = arith.select %5, %accumulator, %element : i32
    tile.yield %6 : i32
  }
  %7 = tile.fold %c along 0 : (tensor<64xi8>) -> tensor<1xi8> {
  ^bb0(%element: i8, %accumulator: i8):
    %8 = arith.extui %element : i8 to i32
    %9 = arith.extui %accumulator : i8 to i32
    %10 = arith.cmpi sgt, %8, %9 : i32
    %11 = arith.select %10, %element, %accumulator : i8
    tile.yield %11 : i8
  }
  return %0, %1, %2, %3, %4, %7 : tensor<1xf32>, tensor<1xi32>, tensor<1xi1>, tensor<64xf32>, tensor<1xi32>, tensor<1xi8>
}

// Of bits, a sum is carried no further, and the greater one is that of which any bit is set. A sum of
// half may be kept in float where the fold says so. Selections are those of either dialect.
// CHECK-LABEL: func.func @more_kinds
// CHECK: tile.reduce bit_xor %{{.*}} along 0 : tensor<64xi1> -> tensor<1xi1>
// CHECK: tile.reduce bit_or %{{.*}} along 0 : tensor<64xi1> -> tensor<1xi1>
// CHECK: tile.reduce sum %{{.*}} along 0 : tensor<64xf16> -> tensor<1xf16>
// CHECK: tile.scan sum %{{.*}} along 0 : tensor<64xbf16>
// CHECK: tile.reduce min %{{.*}} along 0 {isUnsigned} : tensor<64xi32> -> tensor<1xi32>
func.func @more_kinds(%b: tensor<64xi1>, %h: tensor<64xf16>, %g: tensor<64xbf16>, %i: tensor<64xi32>)
    -> (tensor<1xi1>, tensor<1xi1>, tensor<1xf16>, tensor<64xbf16>, tensor<1xi32>) {
  %0 = tile.fold %b along 0 : (tensor<64xi1>) -> tensor<1xi1> {
  ^bb0(%element: i1, %accumulator: i1):
    %5 = arith.addi %element, %accumulator : i1
    tile.yield %5 : i1
  }
  %1 = tile.fold %b along 0 : (tensor<64xi1>) -> tensor<1xi1> {
  ^bb0(%element: i1, %accumulator: i1):
    %5 = tile.binary max %element, %accumulator {isUnsigned} : i1
    tile.yield %5 : i1
  }
  %2 = tile.fold %h along 0 {inFloat} : (tensor<64xf16>) -> tensor<1xf16> {
  ^bb0(%element: f16, %accumulator: f16):
    %5 = tile.binary add %element, %accumulator : f16
    tile.yield %5 : f16
  }
  %3 = tile.fold scan %g along 0 {inFloat} : (tensor<64xbf16>) -> tensor<64xbf16> {
  ^bb0(%element: bf16, %accumulator: bf16):
    %5 = arith.addf %element, %accumulator : bf16
    tile.yield %5 : bf16
  }
  %4 = tile.fold %i along 0 : (tensor<64xi32>) -> tensor<1xi32> {
  ^bb0(%element: i32, %accumulator: i32):
    %5 = tile.compare lt %accumulator, %element {isUnsigned} : i32 -> i1
    %6 = tile.select %5, %accumulator, %element : i1, i32
    tile.yield %6 : i32
  }
  return %0, %1, %2, %3, %4 : tensor<1xi1>, tensor<1xi1>, tensor<1xf16>, tensor<64xbf16>, tensor<1xi32>
}

// A sum of half would be kept in float; scans know sums and products only; an operand from outside
// is no accumulator; a float that is selected may be NaN.
// CHECK-LABEL: func.func @no_kinds
// CHECK: tile.fold %{{.*}} along 0 {commutative}
// CHECK: tile.fold scan %{{.*}} along 0 : (tensor<64xi32>)
// CHECK: tile.fold %{{.*}} along 0 : (tensor<64xi32>)
// CHECK: tile.fold %{{.*}} along 0 : (tensor<64xf32>)
func.func @no_kinds(%h: tensor<64xf16>, %i: tensor<64xi32>, %n: i32, %f: tensor<64xf32>)
    -> (tensor<1xf16>, tensor<64xi32>, tensor<1xi32>, tensor<1xf32>) {
  %0 = tile.fold %h along 0 : (tensor<64xf16>) -> tensor<1xf16> {
  ^bb0(%element: f16, %accumulator: f16):
    %4 = arith.addf %element, %accumulator : f16
    tile.yield %4 : f16
  }
  %1 = tile.fold scan %i along 0 : (tensor<64xi32>) -> tensor<64xi32> {
  ^bb0(%element: i32, %accumulator: i32):
    %4 = arith.maxsi %element, %accumulator : i32
    tile.yield %4 : i32
  }
  %2 = tile.fold %i along 0 : (tensor<64xi32>) -> tensor<1xi32> {
  ^bb0(%element: i32, %accumulator: i32):
    %4 = arith.addi %element, %n : i32
    tile.yield %4 : i32
  }
  %3 = tile.fold %f along 0 : (tensor<64xf32>) -> tensor<1xf32> {
  ^bb0(%element: f32, %accumulator: f32):
    %4 = tile.compare gt %element, %accumulator : f32 -> i1
    %5 = tile.select %4, %element, %accumulator : i1, f32
    tile.yield %5 : f32
  }
  return %0, %1, %2, %3 : tensor<1xf16>, tensor<64xi32>, tensor<1xi32>, tensor<1xf32>
}

// Sums of two tiles at once, of which one is of squares; a difference depends on the order. The
// multiplicands of a * b + c may be exchanged.
// CHECK-LABEL: func.func @commutative
// CHECK: tile.fold %{{.*}}, %{{.*}} along 0 {commutative} :
// CHECK: tile.fold %{{.*}} along 0 : (tensor<64xf32>)
// CHECK: tile.fold %{{.*}} along 0 {commutative} : (tensor<64xf32>)
// CHECK: tile.fold %{{.*}} along 0 : (tensor<64xf32>)
func.func @commutative(%x: tensor<64xf32>, %y: tensor<64xf32>)
    -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0:2 = tile.fold %x, %y along 0 : (tensor<64xf32>, tensor<64xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  ^bb0(%e: f32, %f: f32, %a: f32, %b: f32):
    %1 = arith.addf %e, %a : f32
    %2 = arith.mulf %e, %a : f32
    %3 = arith.addf %b, %f : f32
    %4 = arith.addf %2, %3 : f32
    tile.yield %1, %4 : f32, f32
  }
  %5 = tile.fold %x along 0 : (tensor<64xf32>) -> tensor<1xf32> {
  ^bb0(%e: f32, %a: f32):
    %1 = arith.subf %e, %a : f32
    tile.yield %1 : f32
  }
  %6 = tile.fold %x along 0 : (tensor<64xf32>) -> tensor<1xf32> {
  ^bb0(%e: f32, %a: f32):
    %1 = tile.binary add %e, %a : f32
    %2 = tile.fma %e, %a, %1 : f32
    tile.yield %2 : f32
  }
  %7 = tile.fold %x along 0 : (tensor<64xf32>) -> tensor<1xf32> {
  ^bb0(%e: f32, %a: f32):
    %1 = tile.fma %e, %a, %a : f32
    tile.yield %1 : f32
  }
  return %0#0, %0#1, %5, %6, %7 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
