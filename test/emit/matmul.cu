// The loop of the sample matmul as people will read it: wait, start the copies of a later step,
// multiply this one, move on to the next stage.
// RUN: %tessera %src/samples/matmul.cu -o - | FileCheck %s

// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK-SAME: 256 threads, {{[0-9]+}} bytes of shared memory
// CHECK: using [[A:shared_128x64]] = shared_tile<bf16, shape<128, 64>, panels<bf16, 7, 6>>;
// CHECK: using [[B:shared_64x128]] = shared_tile<bf16, shape<64, 128>, panels<bf16, 6, 7>>;
// CHECK-DAG: const unsigned steps = (k + 63u) / 64u;
// CHECK-DAG: const view<const bf16, 2> a_view{{{.*}}{m, k}, {k, 1}};
// CHECK-DAG: const view<const bf16, 2> b_view{{{.*}}{k, n}, {n, 1}};
// CHECK: for (int i = 0; i < int(steps); ++i) {
// CHECK-NEXT: wait_group<1>();
// CHECK-NEXT: fence_shared();
// CHECK-NEXT: barrier();
// CHECK: copy_async<by_8, 256>(shared_slot<[[A]]>(0, fill), a_view, {{[{].*[}]}});
// CHECK: copy_async<by_8, 256>(shared_slot<[[B]]>({{[0-9]+}}, fill), b_view, {{[{].*[}]}});
// CHECK-NEXT: commit_group();
// CHECK-NEXT: #line
// CHECK-NEXT: sum_ = mma_of_warpgroups(shared_slot<[[A]]>(0, read), shared_slot<[[B]]>({{[0-9]+}}, read), sum_);
// CHECK: {{^ *}}read = 
// CHECK-NEXT: {{^ *}}fill = 
// CHECK-NEXT: }
// CHECK-NEXT: wait_group<0>();
// CHECK-NEXT: fence_shared();
// CHECK-NEXT: barrier();
// CHECK: store<by_{{.*}}>(c_view, {{[{].*[}]}}, {{.*}});
