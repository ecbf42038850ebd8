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

// Sums of sums are followed as far as it is cheap: not once for each of their 2^40 terms.
// CHECK-LABEL: func.func @sums
// CHECK: tile.load %{{[0-9]+}} :
func.func @sums(%p: !llvm.ptr, %n: i32) -> tensor<256xf16, #row> {
  %from = tile.splat %p : !llvm.ptr -> tensor<256x!llvm.ptr, #row>
  %i = tile.iota : tensor<256xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #row>
  %s1 = tile.binary add %i, %i : tensor<256xi32, #row>
  %s2 = tile.binary add %s1, %s1 : tensor<256xi32, #row>
  %s3 = tile.binary add %s2, %s2 : tensor<256xi32, #row>
  %s4 = tile.binary add %s3, %s3 : tensor<256xi32, #row>
  %s5 = tile.binary add %s4, %s4 : tensor<256xi32, #row>
  %s6 = tile.binary add %s5, %s5 : tensor<256xi32, #row>
  %s7 = tile.binary add %s6, %s6 : tensor<256xi32, #row>
  %s8 = tile.binary add %s7, %s7 : tensor<256xi32, #row>
  %s9 = tile.binary add %s8, %s8 : tensor<256xi32, #row>
  %s10 = tile.binary add %s9, %s9 : tensor<256xi32, #row>
  %s11 = tile.binary add %s10, %s10 : tensor<256xi32, #row>
  %s12 = tile.binary add %s11, %s11 : tensor<256xi32, #row>
  %s13 = tile.binary add %s12, %s12 : tensor<256xi32, #row>
  %s14 = tile.binary add %s13, %s13 : tensor<256xi32, #row>
  %s15 = tile.binary add %s14, %s14 : tensor<256xi32, #row>
  %s16 = tile.binary add %s15, %s15 : tensor<256xi32, #row>
  %s17 = tile.binary add %s16, %s16 : tensor<256xi32, #row>
  %s18 = tile.binary add %s17, %s17 : tensor<256xi32, #row>
  %s19 = tile.binary add %s18, %s18 : tensor<256xi32, #row>
  %s20 = tile.binary add %s19, %s19 : tensor<256xi32, #row>
  %s21 = tile.binary add %s20, %s20 : tensor<256xi32, #row>
  %s22 = tile.binary add %s21, %s21 : tensor<256xi32, #row>
  %s23 = tile.binary add %s22, %s22 : tensor<256xi32, #row>
  %s24 = tile.binary add %s23, %s23 : tensor<256xi32, #row>
  %s25 = tile.binary add %s24, %s24 : tensor<256xi32, #row>
  %s26 = tile.binary add %s25, %s25 : tensor<256xi32, #row>
  %s27 = tile.binary add %s26, %s26 : tensor<256xi32, #row>
  %s28 = tile.binary add %s27, %s27 : tensor<256xi32, #row>
  %s29 = tile.binary add %s28, %s28 : tensor<256xi32, #row>
  %s30 = tile.binary add %s29, %s29 : tensor<256xi32, #row>
  %s31 = tile.binary add %s30, %s30 : tensor<256xi32, #row>
  %s32 = tile.binary add %s31, %s31 : tensor<256xi32, #row>
  %s33 = tile.binary add %s32, %s32 : tensor<256xi32, #row>
  %s34 = tile.binary add %s33, %s33 : tensor<256xi32, #row>
  %s35 = tile.binary add %s34, %s34 : tensor<256xi32, #row>
  %s36 = tile.binary add %s35, %s35 : tensor<256xi32, #row>
  %s37 = tile.binary add %s36, %s36 : tensor<256xi32, #row>
  %s38 = tile.binary add %s37, %s37 : tensor<256xi32, #row>
  %s39 = tile.binary add %s38, %s38 : tensor<256xi32, #row>
  %s40 = tile.binary add %s39, %s39 : tensor<256xi32, #row>
  %r = tile.binary rem %s40, %ns : tensor<256xi32, #row>
  %at = tile.offset %from, %r of f16 : tensor<256x!llvm.ptr, #row>, tensor<256xi32, #row>
  %x = tile.load %at : tensor<256x!llvm.ptr, #row> -> tensor<256xf16, #row>
  return %x : tensor<256xf16, #row>
}
