// Loops that multiply say what was decided of them: the unit and its shape, what an iteration costs
// by the cost model, the ring, and when a multiply is waited for.
// RUN: %tessera %src/samples/matmul.cu -o - | FileCheck %s
// RUN: %tessera %src/samples/matmul.cu --arch=sm_80 -o - | FileCheck %s --check-prefix=CHECK-80
// RUN: %tessera %src/samples/dequant_matmul.cu -o - | FileCheck %s --check-prefix=CHECK-PARTS

// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK: // Per iteration: wgmma m64n128k16 x 2 warpgroups of 64 rows; cycles: tensor core 512, L2 512, shared memory 640.
// CHECK-NEXT: // Pipeline: 7 stages x 32 KiB, prefetch distance 5, TMA where views are aligned.
// CHECK-NEXT: // wgmma is awaited one iteration later; shared memory allows 1 block per SM.
// CHECK-NEXT: for (int i = 0;
// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16_coarsened, from matmul.cu:
// CHECK: // Per iteration: wgmma m64n256k16 x 2 warpgroups of 64 rows; cycles: tensor core 1024, L2 768, shared memory 1024.
// CHECK-NEXT: // Pipeline: 4 stages x 48 KiB, prefetch distance up to 3, TMA by a producer warp.

// CHECK-80-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK-80: // Per iteration: mma.sync m16n8k16 x 4 warps; cycles: tensor core 1024, L2 697, shared memory 768.
// CHECK-80-NEXT: // Pipeline: 3 stages x 32 KiB, prefetch distance 2, cp.async by all threads.
// CHECK-80-NEXT: // The last step of K is multiplied in the next iteration.
// CHECK-80-NEXT: for (int i = 0;

// CHECK-PARTS: // Per iteration: 2 matmuls of wgmma m64n128k16 x 1 warpgroup of 64 rows;
// CHECK-PARTS-NEXT: // Pipeline: 4 stages x 12.5 KiB, prefetch distance 3, cp.async by all threads.
// CHECK-PARTS-NEXT: // wgmma is awaited in its iteration; shared memory allows 3 blocks per SM.
