// Loops over registers are unrolled by Clang, too: one that is not keeps its fragment in local
// memory. A thread holds two columns of two rows here, and folds the rows.
// RUN: %clang_plugin -O2 -S -Werror=pass-failed %s -o - | FileCheck %s

#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-NOT: .local
// CHECK: .entry {{.*}}columns
// CHECK-NOT: .local
__tile_global__ void columns(const float *x, float *y) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::shape<64, 2>{}}, ct::shape<64, 2>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::shape<2, 2>{}}, ct::shape<1, 2>{}};
  auto tile = xs.load(0, 0);
  ys.store(ct::reduce_max<0>(tile), 0, 0);
  ys.store(ct::element_cast<float>(ct::max_element<0>(tile)), 1, 0);
}
