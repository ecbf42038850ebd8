// Reads that wait although nothing in the program hinders them: TESSERA_PLAN_WITHOUT leaves rings
// out.
// RUN: env TESSERA_PLAN_WITHOUT=rings %tessera explain %s 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void ringless(const __half *__restrict__ a, float *__restrict__ c, int n) {
  auto view = ct::partition_view{ct::tensor_span{a, ct::extents{n, n}}, ct::shape<64, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i < n; ++i)
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: TESSERA_PLAN_WITHOUT leaves out rings
    sum = ct::mma(view.load_masked(i, 0), view.load_masked(0, i), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{n, n}}, ct::shape<64, 64>{}}.store_masked(sum,
                                                                                              0, 0);
}
