// Behind layouts: each rule, broken on purpose.
// RUN: %tessera-opt --tile-verify-plan=stage=layouts --split-input-file --verify-diagnostics %s

#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @right(%x: tensor<32xf32, #l>) -> tensor<32xf32, #l> attributes {tile.config = #tile.config<warps = 1>} {
  %y = tile.binary add %x, %x : tensor<32xf32, #l>
  return %y : tensor<32xf32, #l>
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @no_layout(%x: f32) attributes {tile.config = #tile.config<warps = 1>} {
  // expected-error @+1 {{'tile.splat' breaks a rule of the stage layouts: every tile has a layout that covers it, over the kernel's warps}}
  %y = tile.splat %x : f32 -> tensor<32xf32>
  return
}

// -----
#gap = #tile.layout<[], [1, 2, 4, 8, 0], []>
func.func @gap(%x: f32) attributes {tile.config = #tile.config<warps = 1>} {
  // expected-error @+1 {{every tile has a layout that covers it}}
  %y = tile.splat %x : f32 -> tensor<32xf32, #gap>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @warps(%x: f32) attributes {tile.config = #tile.config<warps = 4>} {
  // expected-error @+1 {{over the kernel's warps}}
  %y = tile.splat %x : f32 -> tensor<32xf32, #l>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
#m = #tile.layout<[], [2, 1, 4, 8, 16], []>
func.func @two_layouts(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>} {
  // expected-error @+1 {{'tile.cast' breaks a rule of the stage layouts: tiles that are computed together have one layout}}
  %y = tile.cast %x : tensor<32xf32, #l> -> tensor<32xf64, #m>
  return
}

// -----
#rows = #tile.layout<[1, 2], [4, 8, 16, 32, 64], []>
func.func @accumulator(%a: !tile.shared<16x16xf16, 0, 0, 0>, %b: !tile.shared<16x8xf16, 0, 0, 0>, %c: tensor<16x8xf32, #rows>)
    attributes {tile.config = #tile.config<warps = 1>} {
  // expected-error @+1 {{'tile.shared_mma' breaks a rule of the stage layouts: the result of a matrix instruction has its accumulator layout}}
  %d = tile.shared_mma m16n8k16 %a, %b, %c : !tile.shared<16x16xf16, 0, 0, 0>, !tile.shared<16x8xf16, 0, 0, 0>, tensor<16x8xf32, #rows>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
#m = #tile.layout<[], [2, 1, 4, 8, 16], []>
func.func @reshape(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>} {
  // expected-error @+1 {{'tile.reshape' breaks a rule of the stage layouts: a change of shape moves nothing between threads}}
  %y = tile.reshape %x : tensor<32xf32, #l> -> tensor<4x8xf32, #m>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
#none = #tile.layout<[], [1, 0, 0, 0, 0], []>
func.func @reduce(%x: tensor<4x8xf32, #l>) attributes {tile.config = #tile.config<warps = 1>} {
  // expected-error @+1 {{a change of shape moves nothing between threads}}
  %y = tile.reduce sum %x along 1 : tensor<4x8xf32, #l> -> tensor<4x1xf32, #tile.layout<[], [1, 2, 0, 0, 0], []>>
  return
}

// -----
// The warps hold every other element.
#l = #tile.layout<[], [2, 4, 8, 16, 32], [1]>
func.func @runs(%x: tensor<64xf32, #l>) attributes {tile.config = #tile.config<warps = 2>} {
  // expected-error @+1 {{'tile.scan' breaks a rule of the stage layouts: each warp holds a contiguous run along the scanned dimension}}
  %y = tile.scan sum %x along 0 : tensor<64xf32, #l>
  return
}

// -----
#l = #tile.layout<[], [2, 4, 8, 16, 32], [1]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0]>
func.func @fold_runs(%x: tensor<64xf32, #l>) attributes {tile.config = #tile.config<warps = 2>} {
  // Any order will do.
  %y = tile.fold %x along 0 {commutative} : (tensor<64xf32, #l>) -> tensor<1xf32, #one> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  // expected-error @+1 {{'tile.fold' breaks a rule of the stage layouts: each warp holds a contiguous run along the scanned dimension}}
  %z = tile.fold %x along 0 : (tensor<64xf32, #l>) -> tensor<1xf32, #one> {
  ^bb0(%e: f32, %a: f32):
    tile.yield %e : f32
  }
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], [32]>
#m = #tile.layout<[], [1, 2, 4, 8, 32], [16]>
#one = #tile.layout<[], [0, 0, 0, 0, 0], [0]>
func.func @fold_layouts(%x: tensor<64xf32, #l>, %y: tensor<64xf32, #m>) attributes {tile.config = #tile.config<warps = 2>} {
  // expected-error @+1 {{'tile.fold' breaks a rule of the stage layouts: a change of shape moves nothing between threads}}
  %z:2 = tile.fold %x, %y along 0 : (tensor<64xf32, #l>, tensor<64xf32, #m>) -> (tensor<1xf32, #one>, tensor<1xf32, #one>) {
  ^bb0(%e: f32, %f: f32, %a: f32, %b: f32):
    tile.yield %e, %b : f32, f32
  }
  return
}
