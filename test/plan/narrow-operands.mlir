// Operands that were widened before a multiply are multiplied in their own type.
// RUN: %tessera-opt --tile-narrow-operands %s | FileCheck %s

module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func.func @both
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x64xbf16>, %[[Y:[a-z0-9]+]]: tensor<64x64xbf16>, %[[S:[a-z0-9]+]]: tensor
// CHECK-NOT: tile.cast
// CHECK: %[[T:.*]] = tile.permute %[[Y]] [1, 0] : tensor<64x64xbf16>
// CHECK: tile.mma %[[X]], %[[T]], %[[S]]
func.func @both(%x: tensor<64x64xbf16>, %y: tensor<64x64xbf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = tile.cast %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %b = tile.cast %y : tensor<64x64xbf16> -> tensor<64x64xf32>
  %t = tile.permute %b [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %d = tile.mma %a, %t, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// The first type that holds both: fp8 and half are halves, bytes and bf16 are bf16.
// CHECK-LABEL: func.func @unlike
// CHECK: tile.mma {{.*}} : tensor<64x64xf16>, tensor<64x64xf16>
// CHECK: tile.mma {{.*}} : tensor<64x64xbf16>, tensor<64x64xbf16>
func.func @unlike(%x: tensor<64x64xf8E4M3FN>, %y: tensor<64x64xf16>, %i: tensor<64x64xi8>, %z: tensor<64x64xbf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = tile.cast %x : tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %b = tile.cast %y : tensor<64x64xf16> -> tensor<64x64xf32>
  %c = tile.cast %i {fromUnsigned} : tensor<64x64xi8> -> tensor<64x64xf32>
  %e = tile.cast %z : tensor<64x64xbf16> -> tensor<64x64xf32>
  %d = tile.mma %a, %b, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %f = tile.mma %c, %e, %d : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  return %f : tensor<64x64xf32>
}

// bf16 operands that were widened to tf32, too.
// CHECK-LABEL: func.func @tf32
// CHECK: tile.mma {{.*}} : tensor<64x64xbf16>, tensor<64x64xbf16>
func.func @tf32(%x: tensor<64x64xbf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = tile.cast %x : tensor<64x64xbf16> -> tensor<64x64xtf32>
  %d = tile.mma %a, %a, %s : tensor<64x64xtf32>, tensor<64x64xtf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// A selection of numbers of the type, one of them a constant.
// CHECK-LABEL: func.func @selected
// CHECK: %[[HALF:.*]] = tile.splat %{{.*}} : bf16 -> tensor<64x64xbf16>
// CHECK: tile.select %{{.*}}, %{{.*}}, %[[HALF]] : tensor<64x64xi1>, tensor<64x64xbf16>
// CHECK: tile.mma {{.*}} : tensor<64x64xbf16>
func.func @selected(%x: tensor<64x64xbf16>, %m: tensor<64x64xi1>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %half = arith.constant 0.5 : f32
  %h = tile.splat %half : f32 -> tensor<64x64xf32>
  %a = tile.cast %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %c = tile.select %m, %a, %h : tensor<64x64xi1>, tensor<64x64xf32>
  %d = tile.mma %c, %a, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// One operand alone was widened: three multiplies of the other's terms, the smallest first.
// CHECK-LABEL: func.func @one
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<64x64xf32>, %[[Y:[a-z0-9]+]]: tensor<64x64xbf16>
// CHECK-DAG: %[[HIGH:.*]] = tile.bf16_term 0 of %[[P]]
// CHECK-DAG: %[[MIDDLE:.*]] = tile.bf16_term 1 of %[[P]]
// CHECK-DAG: %[[LOW:.*]] = tile.bf16_term 2 of %[[P]]
// CHECK: %[[S2:.*]] = tile.mma %[[LOW]], %[[Y]], %{{.*}}
// CHECK: %[[S1:.*]] = tile.mma %[[MIDDLE]], %[[Y]], %[[S2]]
// CHECK: %[[S0:.*]] = tile.mma %[[HIGH]], %[[Y]], %[[S1]]
// CHECK: tile.mma %[[Y]], %[[LOW]], %[[S0]]
func.func @one(%p: tensor<64x64xf32>, %y: tensor<64x64xbf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = tile.cast %y : tensor<64x64xbf16> -> tensor<64x64xf32>
  %d = tile.mma %p, %b, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %e = tile.mma %b, %p, %d : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  return %e : tensor<64x64xf32>
}

// A half is two terms: five products beside a float, two beside bf16.
// CHECK-LABEL: func.func @half
// CHECK-COUNT-7: tile.mma {{.*}} : tensor<64x64xbf16>
// CHECK-NOT: tile.mma
func.func @half(%p: tensor<64x64xf32>, %h: tensor<64x64xf16>, %z: tensor<64x64xbf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = tile.cast %h : tensor<64x64xf16> -> tensor<64x64xf32>
  %b = tile.cast %z : tensor<64x64xbf16> -> tensor<64x64xf32>
  %d = tile.mma %p, %a, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %e = tile.mma %a, %b, %d : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  return %e : tensor<64x64xf32>
}

// Terms of a large tile would not fit the registers.
// CHECK-LABEL: func.func @large
// CHECK: tile.mma {{.*}} : tensor<64x512xf32>
func.func @large(%p: tensor<64x512xf32>, %z: tensor<512x64xbf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = tile.cast %z : tensor<512x64xbf16> -> tensor<512x64xf32>
  %d = tile.mma %p, %b, %s : tensor<64x512xf32>, tensor<512x64xf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// Numbers of float: no narrow type holds 0.1, or 16 bits of an integer, or what was rounded on its
// way; and no tensor core takes 4 rows.
// CHECK-LABEL: func.func @wide
// CHECK-COUNT-3: tile.mma {{.*}} : tensor<64x64xf32>
// CHECK: tile.mma {{.*}} : tensor<4x64xf32>
func.func @wide(%p: tensor<64x64xf32>, %i: tensor<64x64xi16>, %z: tensor<4x64xbf16>, %y: tensor<64x64xbf16>, %s: tensor<64x64xf32>, %r: tensor<4x64xf32>) -> (tensor<64x64xf32>, tensor<4x64xf32>) {
  %tenth = arith.constant 0.1 : f32
  %t = tile.splat %tenth : f32 -> tensor<64x64xf32>
  %0 = tile.mma %t, %t, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %a = tile.cast %i : tensor<64x64xi16> -> tensor<64x64xf32>
  %1 = tile.mma %a, %p, %0 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %u = tile.cast %p : tensor<64x64xf32> -> tensor<64x64xtf32>
  %b = tile.cast %u : tensor<64x64xtf32> -> tensor<64x64xf32>
  %2 = tile.mma %b, %p, %1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  %e = tile.cast %z : tensor<4x64xbf16> -> tensor<4x64xf32>
  %f = tile.cast %y : tensor<64x64xbf16> -> tensor<64x64xf32>
  %4 = tile.mma %e, %f, %r : tensor<4x64xf32>, tensor<64x64xf32>, tensor<4x64xf32>
  return %2, %4 : tensor<64x64xf32>, tensor<4x64xf32>
}
}
