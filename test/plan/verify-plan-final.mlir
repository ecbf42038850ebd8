// What emit takes: each rule of the stages lowered and final, broken on purpose.
// RUN: %tessera-opt --tile-verify-plan=stage=final --split-input-file --verify-diagnostics %s

#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @right(%x: tensor<32xf32, #l>) -> tensor<32xf32, #l> attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 128 : i64} {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  tile.barrier
  %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  return %y : tensor<32xf32, #l>
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
#m = #tile.layout<[], [2, 1, 4, 8, 16], []>
func.func @conversion(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{'tile.convert_layout' breaks a rule of the stage final: what threads exchange goes through shared memory}}
  %y = tile.convert_layout %x : tensor<32xf32, #l> -> tensor<32xf32, #m>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], [32]>
#none = #tile.layout<[], [0, 0, 0, 0, 0], [0]>
func.func @over_warps(%x: tensor<64xf32, #l>) attributes {tile.config = #tile.config<warps = 2>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{'tile.reduce' breaks a rule of the stage final: reductions and scans stay within warps}}
  %y = tile.reduce sum %x along 0 : tensor<64xf32, #l> -> tensor<1xf32, #none>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @no_place(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 128 : i64} {
  // expected-error @+1 {{'tile.shared_alloc' breaks a rule of the stage final: every shared tile has an offset}}
  %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @undecided(%p: !llvm.ptr, %n: i32) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{'tile.view_load' breaks a rule of the stage final: every access of a view has a vector width that its layout allows}}
  %x = tile.view_load %p extents(%n) strides(%n) starts(%n) padding zero {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>}
      : (i32) (i32) (i32) -> tensor<32xf32, #l>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @too_wide(%p: !llvm.ptr, %n: i32) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{every access of a view has a vector width that its layout allows}}
  %x = tile.view_load %p extents(%n) strides(%n) starts(%n) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>, access = #tile.access<4 along 0, aligned = true, bounds = [checked]>}
      : (i32) (i32) (i32) -> tensor<32xf32, #l>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
// expected-error @+1 {{'func.func' breaks a rule of the stage final: shared tiles with overlapping lifetimes do not overlap in memory}}
func.func @one_place(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 256 : i64} {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  %t = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  tile.barrier
  tile.shared_store %x, %t : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  tile.barrier
  %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
// expected-error @+1 {{breaks a rule of the stage final: shared tiles lie within the kernel's shared memory}}
func.func @outside(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 64 : i64} {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  return
}

// -----
// expected-error @+1 {{breaks a rule of the stage final: a block has the kernel's shared memory}}
func.func @too_much() attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 300000 : i64} {
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
// expected-error @+1 {{breaks a rule of the stage final: accesses that conflict have a barrier between them}}
func.func @no_barrier(%x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 128 : i64} {
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32, #l>, !tile.shared<32xf32, 0, 0, 0>
  %y = tile.shared_load %s : !tile.shared<32xf32, 0, 0, 0> -> tensor<32xf32, #l>
  return
}

// -----
func.func @overwritten(%n: i32, %p: i32, %q: i32) -> i32 attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{'scf.for' breaks a rule of the stage final: no assignment of a loop's next values overwrites what a later one reads}}
  %r:2 = scf.for %i = %p to %n step %q iter_args(%x = %p, %y = %q) -> (i32, i32) : i32 {
    scf.yield %y, %x : i32, i32
  }
  return %r#0 : i32
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @unmarked(%n: i32, %x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{breaks a rule of the stage final: no assignment of a loop's next values overwrites what a later one reads}}
  %r:2 = scf.for %i = %n to %n step %n iter_args(%a = %x, %b = %x) -> (tensor<32xf32, #l>, tensor<32xf32, #l>) : i32 {
    tile.mma_done %b : tensor<32xf32, #l>
    %next = tile.unary neg %a : tensor<32xf32, #l>
    scf.yield %next, %a : tensor<32xf32, #l>, tensor<32xf32, #l>
  }
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
func.func @read_later(%n: i32, %x: tensor<32xf32, #l>) attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (tensor<32xf32, #l>) : i32 {
    // expected-error @+1 {{'tile.unary' breaks a rule of the stage final: a tile is computed into a variable that nothing reads any more}}
    %next = tile.unary neg %x {tile.in_place} : tensor<32xf32, #l>
    tile.print "%f"(%a) : tensor<32xf32, #l>
    scf.yield %next : tensor<32xf32, #l>
  }
  return
}

// -----
func.func @used_twice(%n: i32) -> i32 attributes {tile.config = #tile.config<warps = 1>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{'arith.addi' breaks a rule of the stage final: a value without a variable can be computed where it is used}}
  %x = arith.addi %n, %n {tile.inlined} : i32
  %y = arith.muli %x, %x : i32
  return %y : i32
}

// -----
func.func @all_warps() attributes {tile.config = #tile.config<warps = 8>, tile.shared_bytes = 0 : i64, tile.warp_specialized = 232 : i64, tile.min_blocks = 1 : i64} {
  // expected-error @+1 {{'tile.barrier' breaks a rule of the stage final: next to a producer warp a barrier is of the warps that compute}}
  tile.barrier
  return
}

// -----
func.func @no_producer() attributes {tile.config = #tile.config<warps = 8>, tile.shared_bytes = 0 : i64} {
  // expected-error @+1 {{'tile.barrier' breaks a rule of the stage final: next to a producer warp a barrier is of the warps that compute}}
  tile.barrier of 8
  return
}

// -----
// expected-error @+1 {{breaks a rule of the stage final: the roles of a warp-specialized kernel share an SM's registers}}
func.func @roles() attributes {tile.config = #tile.config<warps = 8>, tile.shared_bytes = 0 : i64, tile.warp_specialized = 232 : i64, tile.min_blocks = 2 : i64} {
  tile.barrier of 8
  return
}
