// The loop of the sample matmul for mma.sync: wait, read the first step of this iteration and
// multiply the last one of the iteration before, start the copies of a later iteration without a
// branch. Views whose chunks are not aligned have a loop of their own.
// RUN: %tessera %src/samples/matmul.cu --arch=sm_80 -o - | FileCheck %s

// CHECK-LABEL: {{^}}// matmul_128_128_64_8_nv_bfloat16, from matmul.cu:
// CHECK: fragment<float, [[L:tile_128x128[_0-9]*]]> [[RESULT:.*]];
// CHECK-NEXT: if (allows_chunks<[[GUARDED:by_8[_0-9]*]]>(a_view) && allows_chunks<[[GUARDED]]>(b_view)) {
// CHECK: delay_last_step<bf16>(
// CHECK: for (int i = 0; i < int(steps); ++i) {
// CHECK-NEXT: wait_group<{{[0-9]}}>();
// CHECK-NEXT: barrier();
// CHECK-NOT: barrier();
// CHECK: mma_start(shared_slot<shared_128x64>(0, read), shared_slot<shared_64x128>({{[0-9]+}}, read), [[SUM:sum_[0-9]*]]);
// CHECK: copy_async_if<[[PROVEN:by_8[_0-9]*]], 128>({{.*}}, shared_slot<shared_128x64>(0, fill), a_view, {{[{].*[}]}});
// CHECK: copy_async_if<[[PROVEN]], 128>({{.*}}, shared_slot<shared_64x128>({{[0-9]+}}, fill), b_view, {{[{].*[}]}});
// CHECK-NEXT: commit_group();
// CHECK: mma_finish([[SUM]]);
// CHECK-NEXT: [[RESULT]] = [[SUM]].accumulator;
// CHECK-NEXT: } else {
// CHECK: copy_async<[[GUARDED]], 128>(
// CHECK: [[OTHER:sum_[0-9]*]] = mma(shared_slot<shared_128x64>(
// CHECK: [[RESULT]] = [[OTHER]];
// CHECK-NEXT: }
// CHECK-NEXT: wait_group<0>();
// CHECK-NEXT: barrier();
