// Which GPU has which instruction for bytes and fp8.
// RUN: sed 's/TARGET/sm_80/' %s | %tessera-opt --tile-select-mma-instructions - | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: sed 's/TARGET/sm_89/' %s | %tessera-opt --tile-select-mma-instructions - | FileCheck %s --check-prefixes=CHECK,NEWER
// RUN: sed 's/TARGET/sm_120/' %s | %tessera-opt --tile-select-mma-instructions - | FileCheck %s --check-prefixes=CHECK,NEWER
// RUN: sed 's/TARGET/sm_90a/' %s | %tessera-opt --tile-select-mma-instructions - | FileCheck %s --check-prefixes=CHECK,HOPPER

module attributes {tile.target = #tile.target<"TARGET">} {

// CHECK-LABEL: func.func @bytes
// AMPERE: tile.shared_mma m16n8k32
// NEWER: tile.shared_mma m16n8k32
// HOPPER: tile.shared_mma wgmma
func.func @bytes(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %d = tile.mma %a, %b, %c : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>
  return %d : tensor<64x64xi32>
}

// wgmma takes two operands of one sign.
// CHECK-LABEL: func.func @two_signs
// CHECK: tile.shared_mma m16n8k32 {{.*}} {bUnsigned}
func.func @two_signs(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %d = tile.mma %a, %b, %c {bUnsigned} : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>
  return %d : tensor<64x64xi32>
}

// CHECK-LABEL: func.func @fp8
// AMPERE: tile.shared_mma fma
// NEWER: tile.shared_mma m16n8k32
// HOPPER: tile.shared_mma m16n8k32
func.func @fp8(%a: tensor<32x32xf8E4M3FN>, %b: tensor<32x64xf8E4M3FN>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %d = tile.mma %a, %b, %c : tensor<32x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<32x64xf32>
  return %d : tensor<32x64xf32>
}
}
