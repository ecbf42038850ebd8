// A loop of several multiplies with a mask in every iteration becomes loops around one without it.
// RUN: %tessera-opt --tile-split-masked-loops --canonicalize %s | FileCheck %s
// RUN: sed "s/{tile.launched}/{}/" %s | %tessera-opt --tile-split-masked-loops --canonicalize | FileCheck %s --check-prefix=IMAGE

// The code of an image stays short.
// IMAGE-COUNT-4: scf.for
// IMAGE-NOT: scf.for

module attributes {tile.launched} {
// Keys up to the row: 32 of an iteration, rows from %first on. Its last iterations keep the mask.
// CHECK-LABEL: func.func @causal
// CHECK: %[[BOUND:.*]] = arith.trunci
// CHECK: %[[FREE:.*]] = scf.for %{{.*}} = %c0_i32 to %[[BOUND]] step
// CHECK-NOT: tile.select
// CHECK: scf.yield
// CHECK: scf.for %{{.*}} = %[[BOUND]] to %arg3 step {{.*}} iter_args(%{{.*}} = %[[FREE]])
// CHECK: tile.select
// CHECK: scf.yield
// CHECK-NOT: scf.for
func.func @causal(%q: tensor<64x64xf16>, %k: tensor<32x64xf16>, %first: i32, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1.0 : f32
  %rows = tile.iota : tensor<64xi32>
  %start = tile.splat %first : i32 -> tensor<64xi32>
  %row = tile.binary add %rows, %start : tensor<64xi32>
  %column = tile.reshape %row : tensor<64xi32> -> tensor<64x1xi32>
  %seen = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x32xi32>
  %keys = tile.iota : tensor<32xi32>
  %scores = tile.splat %zero : f32 -> tensor<64x32xf32>
  %hidden = tile.splat %least : f32 -> tensor<64x32xf32>
  %none = tile.splat %zero : f32 -> tensor<64x64xf32>
  %t = tile.permute %k [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x64xf32>) : i32 {
    %s = tile.mma %q, %t, %scores : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    %offset = arith.muli %i, %c32 : i32
    %of = tile.splat %offset : i32 -> tensor<32xi32>
    %key = tile.binary add %keys, %of : tensor<32xi32>
    %line = tile.reshape %key : tensor<32xi32> -> tensor<1x32xi32>
    %wide = tile.broadcast %line : tensor<1x32xi32> -> tensor<64x32xi32>
    %m = tile.compare le %wide, %seen : tensor<64x32xi32> -> tensor<64x32xi1>
    %masked = tile.select %m, %s, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
    %p = tile.cast %masked : tensor<64x32xf32> -> tensor<64x32xf16>
    %next = tile.mma %p, %k, %sum : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %all : tensor<64x64xf32>
}

// The window's edge in the first iterations, negated; the middle loop has no mask. Steps are of elements.
// CHECK-LABEL: func.func @window
// CHECK: %[[HEAD:.*]] = scf.for %{{.*}} = %arg2 to %[[BEGIN:[^ ]*]] step %c32_i32
// CHECK: tile.select
// CHECK: %[[FREE:.*]] = scf.for %{{.*}} = %[[BEGIN]] to %arg3 step %c32_i32 iter_args(%{{.*}} = %[[HEAD]])
// CHECK-NOT: tile.select
// CHECK: return %[[FREE]]
func.func @window(%q: tensor<64x64xf16>, %k: tensor<32x64xf16>, %first: i32, %n: i32) -> tensor<64x64xf32> {
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f32
  %edge = tile.splat %n : i32 -> tensor<64x32xi32>
  %keys = tile.iota : tensor<32xi32>
  %scores = tile.splat %zero : f32 -> tensor<64x32xf32>
  %none = tile.splat %zero : f32 -> tensor<64x64xf32>
  %t = tile.permute %k [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
  %all = scf.for %i = %first to %n step %c32 iter_args(%sum = %none) -> (tensor<64x64xf32>) : i32 {
    %s = tile.mma %q, %t, %scores : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    %of = tile.splat %i : i32 -> tensor<32xi32>
    %key = tile.binary add %keys, %of : tensor<32xi32>
    %line = tile.reshape %key : tensor<32xi32> -> tensor<1x32xi32>
    %wide = tile.broadcast %line : tensor<1x32xi32> -> tensor<64x32xi32>
    %m = tile.compare lt %wide, %edge : tensor<64x32xi32> -> tensor<64x32xi1>
    %masked = tile.select %m, %scores, %s : tensor<64x32xi1>, tensor<64x32xf32>
    %p = tile.cast %masked : tensor<64x32xf32> -> tensor<64x32xf16>
    %next = tile.mma %p, %k, %sum : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %all : tensor<64x64xf32>
}

// Every other key: no comparison that holds from an iteration on. One multiply alone waits for nothing that threads compute.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
func.func @stays(%q: tensor<64x64xf16>, %k: tensor<32x64xf16>, %n: i32) -> (tensor<64x64xf32>, tensor<64x32xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %keys = tile.iota : tensor<32xi32>
  %scores = tile.splat %zero : f32 -> tensor<64x32xf32>
  %none = tile.splat %zero : f32 -> tensor<64x64xf32>
  %t = tile.permute %k [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
  %edge = tile.splat %n : i32 -> tensor<64x32xi32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<64x64xf32>) : i32 {
    %s = tile.mma %q, %t, %scores : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    %of = tile.splat %i : i32 -> tensor<32xi32>
    %key = tile.binary bit_xor %keys, %of : tensor<32xi32>
    %line = tile.reshape %key : tensor<32xi32> -> tensor<1x32xi32>
    %wide = tile.broadcast %line : tensor<1x32xi32> -> tensor<64x32xi32>
    %m = tile.compare lt %wide, %edge : tensor<64x32xi32> -> tensor<64x32xi1>
    %masked = tile.select %m, %s, %scores : tensor<64x32xi1>, tensor<64x32xf32>
    %p = tile.cast %masked : tensor<64x32xf32> -> tensor<64x32xf16>
    %next = tile.mma %p, %k, %sum : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %one = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %scores) -> (tensor<64x32xf32>) : i32 {
    %s = tile.mma %q, %t, %sum : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    %of = tile.splat %i : i32 -> tensor<64x32xi32>
    %m = tile.compare lt %of, %edge : tensor<64x32xi32> -> tensor<64x32xi1>
    %masked = tile.select %m, %s, %sum : tensor<64x32xi1>, tensor<64x32xf32>
    scf.yield %masked : tensor<64x32xf32>
  }
  return %all, %one : tensor<64x64xf32>, tensor<64x32xf32>
}
}
