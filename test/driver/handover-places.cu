// What a device pass tells the host's of a kernel for large grids: that its blocks take place after
// place, and which maps it needs. What it makes of that is named by its functions.
// RUN: %clang_passes --cuda-gpu-arch=sm_90a -O0 -c %s -o %t.o
// RUN: llvm-nm -C %t.o | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-DAG: tessera::host::by_places(
// CHECK-DAG: tessera::host::maps_by<&tessera::kernels::product_maps_for_sm_90a({{.*}}), 0u>
// CHECK-DAG: tessera::host::maps_by<&tessera::kernels::product_by_places_maps_for_sm_90a({{.*}}), 3u>
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
int main() {}
