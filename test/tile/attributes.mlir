// The dialect's attributes on other dialects' ops: only those of Attributes.def, where they belong.
// RUN: %tessera-opt --split-input-file --verify-diagnostics %s

module attributes {tile.launched} {
  func.func @legal(%p: !llvm.ptr {tile.restrict, tile.name = "p"}, %n: index) attributes {tile.config = #tile.config<warps = 4>} {
    scf.for %i = %n to %n step %n {
    } {tile.prologue}
    return
  }
}

// -----
// expected-error @+1 {{attribute 'tile.warp' is not in Attributes.def}}
func.func @unknown() attributes {tile.warp = 4 : i64} {
  return
}

// -----
// expected-error @+1 {{attribute 'tile.cycles' has a value of another type}}
func.func @narrow() attributes {tile.cycles = 4 : i32} {
  return
}

// -----
// expected-error @+1 {{attribute 'tile.restrict' belongs to another op}}
func.func @argument() attributes {tile.restrict} {
  return
}

// -----
// expected-error @+1 {{attribute 'tile.config' belongs to another op}}
func.func @kernel(%n: i32 {tile.config = #tile.config<warps = 4>}) {
  return
}

// -----
// expected-error @+1 {{attribute 'tile.config' has a value of another type}}
func.func @number() attributes {tile.config = 4 : i64} {
  return
}

// -----
// expected-error @+1 {{the warps of a block are a power of two, not 3}}
func.func @warps() attributes {tile.config = #tile.config<warps = 3>} {
  return
}

// -----
// expected-error @+1 {{kBytes is at least 0; stages, exchangeBytes and operandBytes at least 1}}
func.func @stages() attributes {tile.config = #tile.config<warps = 4, stages = 0>} {
  return
}

// -----
func.func @loop(%n: index) {
  // expected-error @+1 {{attribute 'tile.cycles' belongs to another op}}
  scf.for %i = %n to %n step %n {
  } {tile.cycles = 4 : i64}
  return
}
