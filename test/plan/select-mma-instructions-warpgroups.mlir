// A GPU that has wgmma multiplies with it whatever it takes: operands lie in panels of rows of 128 bytes, or of whole rows that are shorter.
// RUN: %tessera-opt --tile-select-mma-instructions %s | FileCheck %s
// RUN: sed 's/"sm_90a"/"sm_90"/' %s | %tessera-opt --tile-select-mma-instructions - | FileCheck %s --check-prefix=WARPS
// RUN: sed 's/"sm_90a"/"sm_80"/' %s | %tessera-opt --tile-select-mma-instructions - | FileCheck %s --check-prefix=WARPS
// WARPS-NOT: wgmma
// WARPS-NOT: panels

module attributes {tile.target = #tile.target<"sm_90a">} {

// Elements of 16 bits may lie either way.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: (%[[A:.*]]: tensor<64x64xf16>, %[[B:.*]]: tensor<64x128xf16>, %[[C:.*]]: tensor<64x128xf32>)
// CHECK: %[[SA:.*]] = tile.shared_alloc : <64x64xf16, panels>
// CHECK: tile.shared_store %[[A]], %[[SA]]
// CHECK: %[[SB:.*]] = tile.shared_alloc : <64x128xf16, panels>
// CHECK: tile.shared_store %[[B]], %[[SB]]
// CHECK: tile.shared_mma wgmma %[[SA]], %[[SB]], %[[C]] :
func.func @halves(%a: tensor<64x64xf16>, %b: tensor<64x128xf16>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %d = tile.mma %a, %b, %c : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>
  return %d : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @both_transposed
// CHECK: tile.shared_mma wgmma {{.*}} {aTransposed, bTransposed} : !tile.shared<16x64xbf16, panels>, <8x16xbf16, panels>
func.func @both_transposed(%a: tensor<16x64xbf16>, %b: tensor<8x16xbf16>, %c: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %x = tile.permute %a [1, 0] : tensor<16x64xbf16> -> tensor<64x16xbf16>
  %y = tile.permute %b [1, 0] : tensor<8x16xbf16> -> tensor<16x8xbf16>
  %d = tile.mma %x, %y, %c : tensor<64x16xbf16>, tensor<16x8xbf16>, tensor<64x8xf32>
  return %d : tensor<64x8xf32>
}

// A row that runs across K is narrower than a panel: what threads compute is stored along K. What is
// read from memory keeps its rows, for a smaller instruction.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[W:.*]] = tile.unary
// CHECK: %[[T:.*]] = tile.permute %[[W]] [1, 0]
// CHECK: tile.shared_store %[[T]], %{{.*}} : tensor<16x64xbf16>, <16x64xbf16, panels>
// CHECK: tile.shared_mma wgmma {{.*}} {bTransposed} : !tile.shared<64x64xbf16, panels>, <16x64xbf16, panels>
// CHECK: tile.shared_mma m16n8k16
func.func @narrow(%a: tensor<64x64xbf16>, %b: tensor<64x16xbf16>, %p: tensor<64x16x!llvm.ptr>, %c: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %w = tile.unary neg %b : tensor<64x16xbf16>
  %d = tile.mma %a, %w, %c : tensor<64x64xbf16>, tensor<64x16xbf16>, tensor<64x16xf32>
  %x = tile.load %p : tensor<64x16x!llvm.ptr> -> tensor<64x16xbf16>
  %e = tile.mma %a, %x, %d : tensor<64x64xbf16>, tensor<64x16xbf16>, tensor<64x16xf32>
  return %e : tensor<64x16xf32>
}

// What several multiplies of a block take is stored once, whichever way round they take it; a block within has its own.
// CHECK-LABEL: func.func @shared_operands
// CHECK: %[[X:.*]] = tile.shared_alloc : <64x64xf16, panels>
// CHECK-NEXT: tile.shared_store %arg0, %[[X]]
// CHECK-NEXT: %[[Y:.*]] = tile.shared_alloc : <64x64xf16, panels>
// CHECK-NEXT: tile.shared_store %arg1, %[[Y]]
// CHECK-NEXT: tile.shared_mma wgmma %[[X]], %[[Y]], %arg2 :
// CHECK-NEXT: tile.shared_mma wgmma %[[X]], %[[X]], %arg2 {bTransposed} :
// CHECK-NEXT: tile.shared_mma wgmma %[[Y]], %[[X]], %arg2 :
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[WITHIN:.*]] = tile.shared_alloc
// CHECK-NEXT: tile.shared_store %arg0, %[[WITHIN]]
// CHECK-NEXT: tile.shared_mma wgmma %[[WITHIN]], %[[WITHIN]]
func.func @shared_operands(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>, %c: tensor<64x64xf32>, %when: i1)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %d = tile.mma %x, %y, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  %xt = tile.permute %x [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %e = tile.mma %x, %xt, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  %f = tile.mma %y, %x, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  %g = scf.if %when -> tensor<64x64xf32> {
    %h = tile.mma %x, %x, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %h : tensor<64x64xf32>
  } else {
    scf.yield %c : tensor<64x64xf32>
  }
  return %d, %e, %f, %g : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// The others lie along K: 32 bytes of it are one instruction.
// CHECK-LABEL: func.func @along_k
// CHECK: tile.shared_mma wgmma {{.*}} {bTransposed} : !tile.shared<64x8xtf32, panels>, <64x8xtf32, panels>
// CHECK: tile.shared_mma wgmma {{.*}} {bTransposed, promotes} : !tile.shared<64x32xf8E4M3FN, panels>, <32x32xf8E4M3FN, panels>
// CHECK: tile.shared_mma wgmma {{.*}} {bTransposed, promotes} : !tile.shared<64x64xf8E5M2, panels>
// CHECK: tile.shared_mma wgmma {{.*}} {aUnsigned, bTransposed, bUnsigned} : !tile.shared<128x256xi8, panels>
func.func @along_k(%a: tensor<64x8xtf32>, %b: tensor<64x8xtf32>, %c: tensor<64x64xf32>, %d: tensor<64x32xf8E4M3FN>, %e: tensor<32x32xf8E4M3FN>, %f: tensor<64x32xf32>,
                   %g: tensor<64x64xf8E5M2>, %h: tensor<8x64xf8E5M2>, %i: tensor<64x8xf32>, %j: tensor<128x256xi8>, %k: tensor<64x256xi8>, %l: tensor<128x64xi32>)
    -> (tensor<64x64xf32>, tensor<64x32xf32>, tensor<64x8xf32>, tensor<128x64xi32>) {
  %bt = tile.permute %b [1, 0] : tensor<64x8xtf32> -> tensor<8x64xtf32>
  %m = tile.mma %a, %bt, %c : tensor<64x8xtf32>, tensor<8x64xtf32>, tensor<64x64xf32>
  %et = tile.permute %e [1, 0] : tensor<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
  %n = tile.mma %d, %et, %f : tensor<64x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<64x32xf32>
  %ht = tile.permute %h [1, 0] : tensor<8x64xf8E5M2> -> tensor<64x8xf8E5M2>
  %o = tile.mma %g, %ht, %i : tensor<64x64xf8E5M2>, tensor<64x8xf8E5M2>, tensor<64x8xf32>
  %kt = tile.permute %k [1, 0] : tensor<64x256xi8> -> tensor<256x64xi8>
  %p = tile.mma %j, %kt, %l {aUnsigned, bUnsigned} : tensor<128x256xi8>, tensor<256x64xi8>, tensor<128x64xi32>
  return %m, %n, %o, %p : tensor<64x64xf32>, tensor<64x32xf32>, tensor<64x8xf32>, tensor<128x64xi32>
}

// The others lie along K, so what does not is transposed on its way to shared memory, once for all multiplies that take it so. In memory
// the second operand of the first multiply has rows across K; of the second both have; a third takes the second operand as it is.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %[[A:.*]]: tensor<64x32xi8>, %[[B:.*]]: tensor<32x64xi8>, %[[X:[^:]*]]: tensor<32x64xi8>
// CHECK: tile.shared_store %[[A]], %[[SA:.*]] : tensor<64x32xi8>
// CHECK: %[[BT:.*]] = tile.permute %[[B]] [1, 0] : tensor<32x64xi8> -> tensor<64x32xi8>
// CHECK: tile.shared_store %[[BT]], %[[SB:.*]] : tensor<64x32xi8>
// CHECK: tile.shared_mma wgmma %[[SA]], %[[SB]], %{{.*}} {bTransposed} : !tile.shared<64x32xi8, panels>, <64x32xi8, panels>
// CHECK: %[[XT:.*]] = tile.permute %[[X]] [1, 0]
// CHECK: tile.shared_store %[[XT]], %[[SX:.*]] : tensor<64x32xi8>
// CHECK-NOT: tile.shared_store %[[BT]]
// CHECK: tile.shared_mma wgmma %[[SX]], %[[SB]], %{{.*}} {bTransposed}
// CHECK: tile.shared_store %[[Y:.*]], %[[SY:.*]] : tensor<64x64xi8>
// CHECK: tile.shared_mma wgmma %{{.*}}, %[[SY]], %{{.*}} {bTransposed}
func.func @transposed(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %x: tensor<32x64xi8>, %y: tensor<64x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %d = tile.mma %a, %b, %c : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>
  %xt = tile.permute %x [1, 0] : tensor<32x64xi8> -> tensor<64x32xi8>
  %e = tile.mma %xt, %b, %d : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>
  %yt = tile.permute %y [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
  %f = tile.mma %y, %yt, %e : tensor<64x64xi8>, tensor<64x64xi8>, tensor<64x64xi32>
  return %f : tensor<64x64xi32>
}
// CHECK-LABEL: func.func @transposed_floats
// CHECK: tile.permute {{.*}} : tensor<8x64xtf32> -> tensor<64x8xtf32>
// CHECK: tile.shared_mma wgmma {{.*}} {bTransposed} : !tile.shared<64x8xtf32, panels>, <64x8xtf32, panels>
// CHECK: tile.permute {{.*}} : tensor<32x8xf8E5M2> -> tensor<8x32xf8E5M2>
// CHECK: tile.shared_mma wgmma {{.*}} {bTransposed, promotes} : !tile.shared<64x32xf8E5M2, panels>, <8x32xf8E5M2, panels>
func.func @transposed_floats(%a: tensor<64x8xtf32>, %b: tensor<8x64xtf32>, %c: tensor<64x64xf32>, %d: tensor<64x32xf8E5M2>, %e: tensor<32x8xf8E5M2>, %f: tensor<64x8xf32>)
    -> (tensor<64x64xf32>, tensor<64x8xf32>) {
  %m = tile.mma %a, %b, %c : tensor<64x8xtf32>, tensor<8x64xtf32>, tensor<64x64xf32>
  %n = tile.mma %d, %e, %f : tensor<64x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<64x8xf32>
  return %m, %n : tensor<64x64xf32>, tensor<64x8xf32>
}

// What wgmma does not take: few rows, a short row across K in memory, K below one instruction, sums in half, integers of two signs, results
// that two warpgroups do not hold.
// CHECK-LABEL: func.func @not_taken
// CHECK-NOT: wgmma
// CHECK-LABEL: func.func @too_large
// CHECK-NOT: wgmma
// CHECK: return
func.func @not_taken(%a: tensor<32x64xf16>, %b: tensor<64x64xf16>, %c: tensor<32x64xf32>, %p: tensor<64x32x!llvm.ptr>, %e: tensor<64x32xf32>, %f: tensor<64x8xf16>, %g: tensor<8x64xf16>,
                     %h: tensor<64x64xf32>, %i: tensor<64x64xf16>, %k: tensor<64x64xi8>, %l: tensor<64x64xi32>)
    -> (tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xi32>) {
  %d = tile.load %p : tensor<64x32x!llvm.ptr> -> tensor<64x32xf16>
  %m = tile.mma %a, %b, %c : tensor<32x64xf16>, tensor<64x64xf16>, tensor<32x64xf32>
  %n = tile.mma %b, %d, %e : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
  %o = tile.mma %f, %g, %h : tensor<64x8xf16>, tensor<8x64xf16>, tensor<64x64xf32>
  %q = tile.mma %b, %b, %i : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
  %kt = tile.permute %k [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
  %r = tile.mma %k, %kt, %l {aUnsigned} : tensor<64x64xi8>, tensor<64x64xi8>, tensor<64x64xi32>
  return %m, %n, %o, %q, %r : tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x64xf32>, tensor<64x64xf16>, tensor<64x64xi32>
}
func.func @too_large(%a: tensor<256x16xf16>, %b: tensor<16x256xf16>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %d = tile.mma %a, %b, %c : tensor<256x16xf16>, tensor<16x256xf16>, tensor<256x256xf32>
  return %d : tensor<256x256xf32>
}

// Sums of fp8 are promoted, unless they need not be as precise as floats, or begin at zero and are
// one block of promotion.
// CHECK-LABEL: func.func @sums
// CHECK: tile.shared_mma {{.*}} {bTransposed, promotes} : !tile.shared<64x128xf8E4M3FN
// CHECK: tile.shared_mma {{.*}} {bTransposed} : !tile.shared<64x128xf8E4M3FN
// CHECK: tile.shared_mma {{.*}} {bTransposed} : !tile.shared<64x128xf8E4M3FN
// CHECK: tile.shared_mma {{.*}} {bTransposed, promotes} : !tile.shared<64x256xf8E4M3FN
func.func @sums(%a: tensor<64x128xf8E4M3FN>, %b: tensor<64x128xf8E4M3FN>, %c: tensor<64x64xf32>,
                %d: tensor<64x256xf8E4M3FN>, %e: tensor<64x256xf8E4M3FN>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %y = tile.permute %b [1, 0] : tensor<64x128xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %z = tile.permute %e [1, 0] : tensor<64x256xf8E4M3FN> -> tensor<256x64xf8E4M3FN>
  %0 = tile.mma %a, %y, %c : tensor<64x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<64x64xf32>
  %1 = tile.mma %a, %y, %c {fastAccumulation} : tensor<64x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<64x64xf32>
  %2 = tile.mma %a, %y, %zero : tensor<64x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<64x64xf32>
  %3 = tile.mma %d, %z, %zero : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf32>
  return %0, %1, %2, %3 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
}
