// Tiles that the program numbers, of a sum that fills an SM: there is a second kernel for blocks
// that take tile after tile, and a list of these for launches. Where it has no producer warp it
// goes, and its list with it.
// DEFINE: %{kernels} = sed -n '/^namespace tessera::kernels/,$p'
// RUN: %tessera --arch=sm_90a -o - %s | %{kernels} | FileCheck %s --check-prefix=PERSISTENT
// RUN: env TESSERA_PLAN_WITHOUT=specialize %tessera --arch=sm_90a -o - %s | %{kernels} \
// RUN:   | FileCheck %s --check-prefix=PLAIN --implicit-check-not=persistent
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// PERSISTENT: product_simt(
// PERSISTENT: product_persistent_simt(
// PLAIN: product_simt(
__tile_global__ void product(const __half *__restrict__ a, const __half *__restrict__ b,
                             __half *__restrict__ c, int n) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{n, n}}, ct::shape<128, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, n}}, ct::shape<64, 256>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{n, n}}, ct::shape<128, 256>{}};
  const int columns = (n + 255) / 256, y = ct::bid().x / columns, x = ct::bid().x % columns;
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
  for (int i = 0; i < (n + 63) / 64; ++i)
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
  cs.store_masked(ct::element_cast<__half>(sum), y, x);
}

void go(const __half *a, const __half *b, __half *c, int n) {
  product<<<(n / 128) * (n / 256), 1>>>(a, b, c, n);
}
