// What a fold refuses, one rule at a time.
// RUN: %tessera-opt --split-input-file --verify-diagnostics %s

func.func @dimension(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op names dimension 2 of a tile with 2}}
  %0 = tile.fold %x along 2 : (tensor<64x32xf32>) -> tensor<64x1xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @other_dimension(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op along dimension 1 does not fold [64, 32] to [1, 32]}}
  %0 = tile.fold %x along 1 : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @scanned_shape(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op scans [64, 32] to the same shape, not to [64, 1]}}
  %0 = tile.fold scan %x along 1 : (tensor<64x32xf32>) -> tensor<64x1xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @shapes(%x: tensor<64x32xf32>, %y: tensor<32xf32>) {
  // expected-error @+1 {{'tile.fold' op has shapes [64, 32] and [32], which must be one}}
  %0:2 = tile.fold %x, %y along 0 : (tensor<64x32xf32>, tensor<32xf32>) -> (tensor<1x32xf32>, tensor<1xf32>) {
  ^bb0(%e: f32, %f: f32, %a: f32, %b: f32):
    tile.yield %e, %f : f32, f32
  }
  return
}

// -----
func.func @count(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op has 1 tiles and 2 results, which must be as many, and one at least}}
  %0:2 = tile.fold %x along 0 : (tensor<64x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>) {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @elements(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op has element types 'f32' and 'f16', which must be one}}
  %0 = tile.fold %x along 0 : (tensor<64x32xf32>) -> tensor<1x32xf16> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @pointers(%x: tensor<64x!llvm.ptr>) {
  // expected-error @+1 {{'tile.fold' op combines numbers, not pointers}}
  %0 = tile.fold %x along 0 : (tensor<64x!llvm.ptr>) -> tensor<1x!llvm.ptr> {
  ^bb0(%e: !llvm.ptr, %a: !llvm.ptr):
    tile.yield %e : !llvm.ptr
  }
  return
}

// -----
func.func @reduction_within_warps(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op is a reduction, whose result type says what of it there is}}
  %0 = tile.fold %x along 0 {withinWarps} : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @identities(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op has 2 identities for 1 tiles}}
  %0 = tile.fold %x along 0 from [0.0 : f32, 0.0 : f32] : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @identity(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op has the identity 0 : i32 for elements of type 'f32'}}
  %0 = tile.fold %x along 0 from [0 : i32] : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @arguments(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op has a region that takes ('f32'): an element, then an accumulator of each tile is ('f32', 'f32')}}
  %0 = tile.fold %x along 0 : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32):
    tile.yield %e : f32
  }
  return
}

// -----
func.func @yield(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{'tile.fold' op has a region that does not yield ('f32')}}
  %0 = tile.fold %x along 0 : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e, %a : f32, f32
  }
  return
}

// -----
func.func @memory(%x: tensor<64x32xf32>, %p: !llvm.ptr) {
  // expected-error @+3 {{'llvm.store' op accesses memory; the region of a fold computes only}}
  %0 = tile.fold %x along 0 : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    llvm.store %e, %p : f32, !llvm.ptr
    tile.yield %e : f32
  }
  return
}

// -----
func.func @tiles(%x: tensor<64x32xf32>) {
  // expected-error @+3 {{'tile.splat' op is about tiles; the region of a fold combines scalars}}
  %0 = tile.fold %x along 0 : (tensor<64x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%e: f32, %a: f32):
    %s = tile.splat %e : f32 -> tensor<4xf32>
    tile.yield %e : f32
  }
  return
}

// -----
func.func @totals(%x: tensor<64x32xf32>, %t: tensor<64x3xf32>) {
  // expected-error @+1 {{'tile.fold_carry' op has totals [64, 3] of [64, 32]}}
  %0 = tile.fold_carry %x after %t along 1 : (tensor<64x32xf32>, tensor<64x3xf32>) -> tensor<64x32xf32> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}
