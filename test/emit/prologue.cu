// The copies of a ring's first iterations are a loop, whose views a later loop has, too. What they
// overwrite, here the result of the tile before on its way out, is waited for once, before it. If
// the loop is known to have so many iterations, nothing is asked.
// RUN: %tessera %src/samples/persistent_matmul.cu -o - | FileCheck %s

// CHECK-LABEL: {{^}}// persistent_matmul
// CHECK: for (int tile = block_index<0>(); tile < {{[0-9]+}}; tile += grid_size<0>()) {
// CHECK: wait_stores<0>();
// CHECK-NEXT: barrier();
// CHECK: const view<const bf16, 2> [[A:a_view]]{a, {{[{].*[}]}}, {{[{].*[}]}}};
// CHECK-NEXT: const view<const bf16, 2> [[B:b_view]]{b, {{[{].*[}]}}, {{[{].*[}]}}};
// CHECK-NEXT: #pragma unroll 1
// CHECK-NEXT: for (int stage = 0; stage < 2; ++stage) {
// CHECK: const unsigned [[K:k_[a-z]+]] = unsigned(stage) * 64u;
// CHECK-NEXT: #line
// CHECK-NEXT: {{^ *}}copy_async<by_8, 256>(shared_slot<shared_128x64>({{[0-9]+}}, stage), [[A]], {{{.*}}, [[K]]}, a_tensor_map, barriers, stage);
// CHECK-NEXT: #line
// CHECK-NEXT: {{^ *}}copy_async<by_8, 256>(shared_slot<shared_64x256>({{[0-9]+}}, stage), [[B]], {[[K]], {{.*}}}, b_tensor_map, barriers, stage);
// CHECK-NEXT: commit_group();
// CHECK-NEXT: }
