// A kernel of large grids: one warp fills the ring, the others go from work tile to work tile and
// wait for nobody but it. Results leave part by part.
// RUN: %tessera %s -o %t.simt.cu
// RUN: FileCheck %s --input-file=%t.simt.cu --check-prefix=CHECK-PLAN
// RUN: grep -v CHECK %t.simt.cu | grep -v '^#line' | FileCheck %s
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: sed 's/producer_acquire(barriers, fill);//' %t.cu > %t.free.cu
// RUN: sed 's/consumer_wait(barriers, read);//' %t.cu > %t.filled.cu
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %clang_emulate %t.free.cu %emulator -o %t.free
// RUN: %if long %{ %clang_emulate %t.filled.cu %emulator -o %t.filled %}
// RUN: %t.right
// RUN: sh -c '%t.free 2> %t.free.report; test $? = 86'
// RUN: %if long %{ sh -c '%t.filled 2> %t.filled.report; test $? = 86' %}
// RUN: FileCheck %s --input-file=%t.free.report --check-prefix=RACE
// RUN: %if long %{ FileCheck %s --input-file=%t.filled.report --check-prefix=RACE %}
// RACE: race in shared memory

// CHECK-LABEL: {{^}}// product_persistent, from work-tiles.cu:{{[0-9]+}}, for sm_90a: work tile after work tile, 384 threads, {{[0-9]+}} bytes of shared memory
// CHECK-NEXT: __launch_bounds__(384, 1) product_persistent_simt({{.*}}, const coarsened_grid grid, const __grid_constant__ tensor_maps<3> tensor_maps) {
// CHECK: const auto a_tensor_map = get_required_tensor_map<8, 0>(tensor_maps);
// CHECK-NEXT: const auto b_tensor_map = get_required_tensor_map<8, 1>(tensor_maps);
// CHECK-NEXT: auto barriers = init_pipeline_barriers<4, 2, 2>({{[0-9]+}}, a_tensor_map, b_tensor_map);
// CHECK-NEXT: if (warp_index() >= 8) {
// CHECK-NEXT: setmaxnreg_dec<40>();
// CHECK-NEXT: if (warp_index() != 8) return;
// CHECK: for (int work_tile = block_index<0>(); work_tile < work_tile_count<1, 1>(grid); work_tile += grid_size<0>()) {
// CHECK: swizzled_block_at<{{[01]}}, 1, 1>(grid, work_tile)
// CHECK: for (int i = 0; i < {{.*}}; ++i) {
// CHECK-NEXT: producer_acquire(barriers, fill);
// CHECK: copy_async(shared_slot<shared_128x64>({{[0-9]+}}, fill), a_view, {{.*}}, a_tensor_map, barriers, fill);
// CHECK: copy_async(shared_slot<shared_64x256>({{[0-9]+}}, fill), b_view, {{.*}}, b_tensor_map, barriers, fill);
// CHECK: return;
// CHECK-NEXT: }
// CHECK-NEXT: setmaxnreg_inc<232>();
// CHECK-NEXT: int [[NEXT:stage]] = 0;
// CHECK-NEXT: for (int [[WORK_TILE:work_tile]] = block_index<0>(); [[WORK_TILE]] < work_tile_count<1, 1>(grid); [[WORK_TILE]] += grid_size<0>()) {
// CHECK: int read = [[NEXT]];
// CHECK-NEXT: int before = -1;
// CHECK: Pipeline: 4 stages x 48 KiB, prefetch distance up to 3, TMA by a producer warp.
// CHECK: for (int
// CHECK-NEXT: consumer_wait(barriers, read);
// CHECK-NEXT: mma_start(shared_slot<shared_128x64>({{[0-9]+}}, read), shared_slot<shared_64x256>({{[0-9]+}}, read), sum
// CHECK-NEXT: mma_wait<1>();
// CHECK-NEXT: consumer_release(barriers, before);
// CHECK: mma_wait(sum
// CHECK-NEXT: consumer_release(barriers, before);
// CHECK-NOT: barrier
// CHECK: const view<bf16, 2> c_view{
// CHECK-NEXT: store_parts<tile_128x64, 192>(shared_slot<shared_128x64>({{[0-9]+}}, 0), {{.*}}, c_view, {{.*}}, c_tensor_map);
// CHECK: [[NEXT]] = read;
// CHECK-NEXT: }
// CHECK-NEXT: wait_stores<0>();
// CHECK-NEXT: }

// CHECK-PLAN: ::tessera::host::persistent(::tessera::host::coarsened(&::tessera::kernels::product_persistent_simt, 1, 1, 384, {{[0-9]+}}, 1024, 1024, 6, ::tessera::host::maps_by<&::tessera::kernels::product_persistent_tensor_maps_for_sm_90a, 3>))
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void product(const __nv_bfloat16 *__restrict__ a,
                             const __nv_bfloat16 *__restrict__ b, __nv_bfloat16 *__restrict__ c,
                             int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<128, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, 256>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<128, 256>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  cs.store_masked(ct::element_cast<__nv_bfloat16>(sum), row, column);
}

int main() {
  constexpr int m = 500, n = 520, k = 328;
  __nv_bfloat16 *a, *b, *c;
  cudaMallocManaged(&a, m * k * sizeof *a);
  cudaMallocManaged(&b, k * n * sizeof *b);
  cudaMallocManaged(&c, m * n * sizeof *c);
  for (int i = 0; i < m * k; ++i)
    a[i] = float(i % 3);
  for (int i = 0; i < k * n; ++i)
    b[i] = float(i % 2);
  product<<<dim3(3, 4), 1>>>(a, b, c, m, n, k);
  bool isRight = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float wanted = 0;
      for (int l = 0; l < k; ++l)
        wanted += float(a[i * k + l]) * float(b[l * n + j]);
      isRight &= float(c[i * n + j]) == float(__nv_bfloat16(wanted));
    }
  return isRight ? 0 : 1;
}
