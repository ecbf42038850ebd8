// A tile of pointers is accessed in groups of what lies side by side, as far as that is known; what
// may break a group, an index that wraps round or an alignment, is left to a test at run time.
// RUN: %tessera-opt --tile-plan-accesses %s | FileCheck %s

#row = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 128], []>
#matrix = #tile.layout<[1, 2, 4], [8, 16, 32, 64, 128], []>

// CHECK-LABEL: func.func @aligned
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = true>
func.func @aligned(%p: !llvm.ptr) -> tensor<256xf16, #row> {
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %from = tile.splat %base : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %at = tile.offset %from, %i of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %at : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x : tensor<256xf16, #row>
}

// Nobody says where it starts.
// CHECK-LABEL: func.func @unaligned
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = false>
func.func @unaligned(%p: !llvm.ptr) -> tensor<256xf16, #row> {
  %from = tile.splat %p : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %at = tile.offset %from, %i of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %at : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x : tensor<256xf16, #row>
}

// An index of 32 bits may wrap round within a group unless groups begin at its multiples.
// CHECK-LABEL: func.func @wrapping
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = false>
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = true>
func.func @wrapping(%p: !llvm.ptr, %n: i32) -> (tensor<256xf16, #row>, tensor<256xf16, #row>) {
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %m = tile.assume %n {divisible = 8 : i64} : i32
  %from = tile.splat %base : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #row>
  %ms = tile.splat %m : i32 -> tensor<256xi32, #row>
  %in = tile.binary add %i, %ns : tensor<256xi32, #row>
  %im = tile.binary add %i, %ms : tensor<256xi32, #row>
  %atn = tile.offset %from, %in of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %atm = tile.offset %from, %im of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %atn : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  %y = tile.load %atm : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x, %y : tensor<256xf16, #row>, tensor<256xf16, #row>
}

// Two that wrap round may undo one another at two places: single elements.
// CHECK-LABEL: func.func @twice
// CHECK: tile.load
// CHECK-NOT: access
func.func @twice(%p: !llvm.ptr, %n: i32, %m: i32) -> tensor<256xf16, #row> {
  %from = tile.splat %p : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #row>
  %ms = tile.splat %m : i32 -> tensor<256xi32, #row>
  %in = tile.binary add %i, %ns : tensor<256xi32, #row>
  %once = tile.offset %from, %in of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %minus = tile.binary sub %ms, %i : tensor<256xi32, #row>
  %back = tile.offset %once, %minus of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %at = tile.offset %back, %in of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %at : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x : tensor<256xf16, #row>
}

// Every second element: none lies beside another.
// CHECK-LABEL: func.func @strided
// CHECK: tile.load
// CHECK-NOT: access
func.func @strided(%p: !llvm.ptr) -> tensor<256xf16, #row> {
  %two = arith.constant 2 : i32
  %from = tile.splat %p : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %twos = tile.splat %two : i32 -> tensor<256xi32, #row>
  %double = tile.binary mul %i, %twos : tensor<256xi32, #row>
  %at = tile.offset %from, %double of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %at : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x : tensor<256xf16, #row>
}

// A mask has one bit for a group of neighbours where both the group and what it is compared with
// are at multiples of what the group spans; not where the bound may lie within.
// CHECK-LABEL: func.func @masks
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = true, shareMask = true>
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = true>
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = true>
func.func @masks(%p: !llvm.ptr, %n: i32) -> (tensor<256xf16, #row>, tensor<256xf16, #row>, tensor<256xf16, #row>) {
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %m = tile.assume %n {divisible = 8 : i64} : i32
  %from = tile.splat %base : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %at = tile.offset %from, %i of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %zero = arith.constant dense<0.0> : tensor<256xf16, #row>
  %ms = tile.splat %m : i32 -> tensor<256xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #row>
  %whole = tile.compare lt %i, %ms : tensor<256xi32, #row> -> tensor<256xi1, #row>
  %cut = tile.compare lt %i, %ns : tensor<256xi32, #row> -> tensor<256xi1, #row>
  %last = tile.compare le %i, %ms : tensor<256xi32, #row> -> tensor<256xi1, #row>
  %x = tile.load %at, %whole, %zero : tensor<256x!llvm.ptr, #row>, tensor<256xi1, #row>, tensor<256xf16, #row> -> tensor<256xf16, #row>
  %y = tile.load %at, %cut, %zero : tensor<256x!llvm.ptr, #row>, tensor<256xi1, #row>, tensor<256xf16, #row> -> tensor<256xf16, #row>
  %z = tile.load %at, %last, %zero : tensor<256x!llvm.ptr, #row>, tensor<256xi1, #row>, tensor<256xf16, #row> -> tensor<256xf16, #row>
  return %x, %y, %z : tensor<256xf16, #row>, tensor<256xf16, #row>, tensor<256xf16, #row>
}

// Indices of a block that is not before the first are not below 0, so that remainders turn back
// between groups alone; of any number they may be.
// CHECK-LABEL: func.func @remainders
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = true>
// CHECK: tile.load {{.*}}access = #tile.run<8, aligned = false>
func.func @remainders(%p: !llvm.ptr, %n: i32, %any: i32) -> (tensor<256xf16, #row>, tensor<256xf16, #row>) {
  %c256 = arith.constant 256 : i32
  %base = tile.assume %p {aligned = 16 : i64} : !llvm.ptr
  %m = tile.assume %n {divisible = 8 : i64} : i32
  %from = tile.splat %base : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %ms = tile.splat %m : i32 -> tensor<256xi32, #row>
  %block = tile.block_index 0
  %first = arith.muli %block, %c256 overflow<nsw> : i32
  %firsts = tile.splat %first : i32 -> tensor<256xi32, #row>
  %of_block = tile.binary add %i, %firsts : tensor<256xi32, #row>
  %transposed = tile.binary rem %of_block, %ms : tensor<256xi32, #row>
  %at = tile.offset %from, %transposed of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %at : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  %start = arith.muli %any, %c256 overflow<nsw> : i32
  %starts = tile.splat %start : i32 -> tensor<256xi32, #row>
  %of_any = tile.binary add %i, %starts : tensor<256xi32, #row>
  %back = tile.binary rem %of_any, %ms : tensor<256xi32, #row>
  %to = tile.offset %from, %back of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %y = tile.load %to : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x, %y : tensor<256xf16, #row>, tensor<256xf16, #row>
}
