// Loops that multiply say what was decided of them: the unit and its shape, what a turn costs by
// the cost model, the ring, and when a multiply is waited for.
// RUN: %tessera %src/samples/matmul.cu -o - | FileCheck %s
// RUN: %tessera %src/samples/matmul.cu --arch=sm_80 -o - | FileCheck %s --check-prefix=CHECK-80
// RUN: %tessera %src/samples/dequant_matmul.cu -o - | FileCheck %s --check-prefix=CHECK-PARTS

// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK: // A turn: wgmma m64n128k16, 2 warpgroups of 64 rows. Cycles of the unit 512, of L2 512, of shared memory 640.
// CHECK-NEXT: // Copied 5 turns ahead, in bulk where views are aligned, into 7 stages of 32768 bytes.
// CHECK-NEXT: // A multiply is waited for a turn later; by shared memory an SM has 1 block.
// CHECK-NEXT: for (int i = 0;
// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16_merged, from matmul.cu:
// CHECK: // A turn: wgmma m64n256k16, 2 warpgroups of 64 rows. Cycles of the unit 1024, of L2 768, of shared memory 1024.
// CHECK-NEXT: // Copied up to 3 turns ahead, in bulk by a warp of its own, into 4 stages of 49152 bytes.

// CHECK-80-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK-80: // A turn: mma.m16n8k16, 4 warps. Cycles of the unit 853, of L2 512, of shared memory 768.
// CHECK-80-NEXT: // Copied 2 turns ahead, by all threads, into 3 stages of 32768 bytes.
// CHECK-80-NEXT: // The last step of K is left to the next turn.
// CHECK-80-NEXT: for (int i = 0;

// CHECK-PARTS: // A turn: wgmma m64n128k16, 1 warpgroup of 64 rows, 2 multiplies.
// CHECK-PARTS-NEXT: // Copied 3 turns ahead, by all threads, into 4 stages of 12800 bytes.
// CHECK-PARTS-NEXT: // A multiply is waited for in its turn; by shared memory an SM has 3 blocks.
