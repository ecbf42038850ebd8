// The loop of the sample matmul as people will read it: wait, start the copies of a later step and
// the multiply of this one, wait for that of the one before, move on to the next stage.
// RUN: %tessera %src/samples/matmul.cu -o - | FileCheck %s
// RUN: %tessera %src/samples/matmul.cu -o - | FileCheck %s --check-prefix=CHECK-MAPS

// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK-SAME: 256 threads, {{[0-9]+}} bytes of shared memory
// CHECK: using [[A:shared_128x64]] = shared_tile<bf16, shape<128, 64>, panels<bf16, 7, 6>>;
// CHECK: using [[B:shared_64x128]] = shared_tile<bf16, shape<64, 128>, panels<bf16, 6, 7>>;
// CHECK-DAG: const unsigned steps = (k + 63u) / 64u;
// CHECK-DAG: const view<const bf16, 2> a_view{{{.*}}{m, k}, {k, 1}};
// CHECK-DAG: const view<const bf16, 2> b_view{{{.*}}{k, n}, {n, 1}};
// CHECK: for (int i = 0; i < int(steps); ++i) {
// CHECK-NEXT: consumer_wait<{{[0-9]}}>(barriers, read);
// CHECK-NEXT: barrier();
// CHECK: copy_async<by_8, 256>(shared_slot<[[A]]>(0, fill), a_view, {{[{].*[}]}}, a_tensor_map, barriers, fill);
// CHECK: copy_async<by_8, 256>(shared_slot<[[B]]>({{[0-9]+}}, fill), b_view, {{[{].*[}]}}, b_tensor_map, barriers, fill);
// CHECK-NEXT: commit_group();
// CHECK-NEXT: #line
// CHECK-NEXT: mma_start(shared_slot<[[A]]>(0, read), shared_slot<[[B]]>({{[0-9]+}}, read), [[SUM:sum_2]]);
// CHECK-NEXT: mma_wait<1>();
// CHECK: {{^ *}}read = 
// CHECK-NEXT: {{^ *}}fill = 
// CHECK-NEXT: }
// CHECK-NEXT: mma_wait([[SUM]]);
// CHECK-NEXT: wait_group<0>();
// CHECK-NEXT: barrier();
// CHECK: store_shared(shared_at<[[C:.*]]>(0), cast<bf16>([[SUM]]));
// CHECK-NEXT: fence_shared();
// CHECK-NEXT: barrier();
// CHECK: if (has_tensor_map(c_tensor_map)) {
// CHECK: store_bulk(shared_at<[[C]]>(0), c_view, {{[{].*[}]}}, c_tensor_map);
// CHECK: } else {
// CHECK: store<by_{{.*}}>(c_view, {{[{].*[}]}}, shared);
// CHECK: wait_stores<0>();

// The launch makes the maps of the views, of what the kernel is given, and knows by whom.
// CHECK-MAPS: static __global__ void matmul_128_128_64_8_nv_bfloat16_simt({{.*}}, unsigned int k, const __grid_constant__ tensor_maps<3>) {}
// CHECK-MAPS: __launch_bounds__(256) matmul_128_128_64_8_nv_bfloat16_simt({{.*}}, unsigned int k, const __grid_constant__ tensor_maps<3> tensor_maps) {
// CHECK-MAPS: const auto a_tensor_map = get_tensor_map<0, 0>(tensor_maps);
// CHECK-MAPS: const auto b_tensor_map = get_tensor_map<1, 1>(tensor_maps);
// CHECK-MAPS: static void matmul_128_128_64_8_nv_bfloat16_tensor_maps_for_sm_90a(tensor_maps<3> &tensor_maps, {{.*}}, unsigned int m, unsigned int n, unsigned int k) {
// CHECK-MAPS: const view<const bf16, 2> a_view{a, {m, k}, {k, 1}};
// CHECK-MAPS-NEXT: host::encode_tensor_map<0, shared_128x64>(tensor_maps, a_view);
// CHECK-MAPS-NEXT: const view<const bf16, 2> b_view{b, {k, n}, {n, 1}};
// CHECK-MAPS-NEXT: host::encode_tensor_map<1, shared_64x128>(tensor_maps, b_view);
// CHECK-MAPS-NEXT: const view<const bf16, 2> c_view{c, {m, n}, {n, 1}};
// CHECK-MAPS-NEXT: host::encode_tensor_map<2, shared_128x128>(tensor_maps, c_view);
// CHECK-MAPS-NEXT: }
// CHECK-MAPS: __tessera_matmul_128_128_64_8_nv_bfloat16_registration{&::tessera::kernels::matmul_128_128_64_8_nv_bfloat16_simt
// CHECK-MAPS-NEXT: {{[{][{]}}90, 256, {{[0-9]+}}, ::tessera::host::maps_by<&::tessera::kernels::matmul_128_128_64_8_nv_bfloat16_tensor_maps_for_sm_90a>,
// CHECK-MAPS-NEXT: ::tessera::host::coarsened(&::tessera::kernels::matmul_128_128_64_8_nv_bfloat16_coarsened_simt, 2, 1,
