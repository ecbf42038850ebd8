// A kernel of large grids whose first operand comes from registers: an iteration fills those of the
// next one while its multiply is at work, from the ring that a warp of its own fills. The result,
// of the transposed product, leaves by columns of warpgroups.
// RUN: %tessera %s -o %t.simt.cu
// RUN: grep -v CHECK %t.simt.cu | grep -v '^#line' | FileCheck %s
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: sed 's/consumer_wait(barriers, read_next);//' %t.cu > %t.filled.cu
// RUN: sed 's/release(barriers, before);/release(barriers, read);/' %t.cu > %t.early.cu
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %clang_emulate %t.filled.cu %emulator -o %t.filled
// RUN: %clang_emulate %t.early.cu %emulator -o %t.early
// RUN: %t.right
// RUN: sh -c '%t.filled 2> %t.filled.report; test $? = 86'
// RUN: sh -c '%t.early 2> %t.early.report; test $? = 86'
// RUN: FileCheck %s --input-file=%t.filled.report --check-prefix=RACE
// RUN: FileCheck %s --input-file=%t.early.report --check-prefix=RACE
// RACE: race in shared memory

// CHECK-LABEL: {{^}}// product_coarsened, from work-tiles-registers.cu:{{[0-9]+}}, for sm_90a: 1 x 2 tile blocks at a time, work tile after work tile, 384 threads
// CHECK: using shared_32x128 = shared_tile<tf32, shape<32, 128>, panels<tf32, 5, 7>>;
// CHECK: using [[IN_MEMORY:tile_32x128]] = layout<shape<32, 128>, registers<1, 512, 1024, 2048>, lanes<128, 256, 2, 16, 4>, warps<8, 32, 64>>;
// CHECK: auto barriers = init_pipeline_barriers<4, 2, 8, 32>(
// CHECK: if (warp_index() >= 8) {
// CHECK: copy_async(shared_slot<[[A:shared_256x32]]>({{[0-9]+}}, fill), a_view, {{.*}}, a_tensor_map, barriers, fill);
// CHECK: copy_async(shared_slot<[[B:shared_32x128]]>({{[0-9]+}}, fill), b_view, {{.*}}, b_tensor_map, barriers, fill);
// CHECK: setmaxnreg_inc<232>();
// CHECK: consumer_wait(barriers, stage);
// CHECK-NEXT: const auto [[X:.*]] = load_shared<[[IN_MEMORY]]>(shared_slot<[[B]]>({{[0-9]+}}, stage));
// CHECK-NEXT: const auto operand_t = relabel<[[TAKEN:tile_128x32]]>([[X]]);
// CHECK: // Per iteration: wgmma m64n256k8 x 2 warpgroups of 64 rows;
// CHECK-NEXT: // Pipeline: 4 stages x 48 KiB, prefetch distance up to 3, TMA by a producer warp.
// CHECK-NEXT: // wgmma is awaited one iteration later
// CHECK-NEXT: for (
// CHECK-NEXT: mma_start(operand_2, transposed(shared_slot<[[A]]>(0, read)), sum_2);
// CHECK-NEXT: mma_wait<1>();
// CHECK-NEXT: mma_done(operand_3);
// CHECK-NEXT: release(barriers, before);
// CHECK: consumer_wait(barriers, [[NEXT:[a-z_]+]]);
// CHECK-NEXT: const auto {{.*}} = load_shared<[[IN_MEMORY]]>(shared_slot<[[B]]>({{[0-9]+}}, [[NEXT]]));
// CHECK: mma_start(operand_3, transposed(shared_slot<[[A]]>(0, read)), sum_2);
// CHECK: mma_wait(sum_2);
// CHECK: release(barriers, before);
// CHECK-NOT: barrier
// CHECK: store_parts<tile_32x128{{.*}}, 28672>(shared_slot<shared_32x128_2>({{[0-9]+}}, 0), sum{{.*}}, c_view, {{.*}}, c_tensor_map);
#include <cuda_runtime.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void product(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<128, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<32, 128>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<128, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < ct::ceildiv(k, 32); ++i)
    sum = ct::mma(ct::element_cast<__nv_tf32>(as.load_masked(row, i)),
                  ct::element_cast<__nv_tf32>(bs.load_masked(i, column)), sum);
  cs.store_masked(sum, row, column);
}

int main() {
  constexpr int m = 500, n = 520, k = 328;
  float *a, *b, *c;
  cudaMallocManaged(&a, m * k * sizeof *a);
  cudaMallocManaged(&b, k * n * sizeof *b);
  cudaMallocManaged(&c, m * n * sizeof *c);
  for (int i = 0; i < m * k; ++i)
    a[i] = float(i % 13);
  for (int i = 0; i < k * n; ++i)
    b[i] = float(i % 11);
  product<<<dim3(5, 4), 1>>>(a, b, c, m, n, k);
  bool isRight = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float wanted = 0;
      for (int l = 0; l < k; ++l)
        wanted += a[i * k + l] * b[l * n + j];
      isRight &= c[i * n + j] == wanted;
    }
  return isRight ? 0 : 1;
}
