// A hint for another architecture is invisible, and so is a key without a meaning; a hint of
// occupancy that a form of a kernel keeps changes nothing of the form: a block of the merged kernel
// may have its SM for itself where one is asked for, and must leave room where two are.
// DEFINE: %{hint} =
// DEFINE: %{text} = sed 's/.[*]hint[*]./[[%{hint}]]/' %s > %t.cu && \
// DEFINE:   %tessera --arch=sm_90a -o - %t.cu | sed -n '/^namespace tessera::kernels/,$p'
// RUN: %{text} | grep -v hints.cu > %t.plain
// RUN: %{text} | FileCheck %s --check-prefixes=CHECK,MERGED
// REDEFINE: %{hint} = cutile::hint(1000, occupancy = 1)
// RUN: %{text} | grep -v hints.cu | diff %t.plain -
// REDEFINE: %{hint} = using cutile: hint(800, occupancy = 8), hint(1000, num_cta_in_cga = 2)
// RUN: %{text} | grep -v hints.cu | diff %t.plain -
// REDEFINE: %{hint} = cutile::hint(900, allow_tma = false, num_worker_warps_per_cta = 4)
// RUN: %{text} | grep -v hints.cu | diff %t.plain -
// REDEFINE: %{hint} = cutile::hint(0, num_cta_in_cga = 4, latency = 3)
// RUN: %{text} | grep -v hints.cu | diff %t.plain -
// REDEFINE: %{hint} = cutile::hint(900, occupancy = 1)
// RUN: %{text} | FileCheck %s --check-prefixes=CHECK,MERGED
// REDEFINE: %{hint} = cutile::hint(0, occupancy = 2)
// RUN: %{text} | FileCheck %s --check-prefixes=CHECK,TWO
// REDEFINE: %{hint} = cutile::hint(0, occupancy = 4)
// RUN: %{text} | FileCheck %s --check-prefixes=CHECK,FOUR
// REDEFINE: %{hint} = cutile::hint(0, occupancy = 4), cutile::hint(900, occupancy = 1)
// RUN: %{text} | FileCheck %s --check-prefixes=CHECK,MERGED
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK: __launch_bounds__({{.*}} product_128_simt(
// MERGED: __launch_bounds__(384, 1) product_128_coarsened_simt(
// TWO-NOT: product_128_coarsened_simt(
// FOUR-NOT: product_128_coarsened_simt(
// CHECK: __launch_bounds__({{.*}} product_64_simt(
// MERGED: __launch_bounds__(384, 1) product_64_coarsened_simt(
// TWO: __launch_bounds__(256, 2) product_64_coarsened_simt(
// FOUR: __launch_bounds__(128, 4) product_64_coarsened_simt(
template <int Tile>
/*hint*/ __tile_global__ void product(const __half *__restrict__ a, const __half *__restrict__ b,
                                      __half *__restrict__ c, int n) {
  auto view = [=](auto *p) {
    return ct::partition_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<Tile, 64>{}};
  };
  auto other = [=](auto *p) {
    return ct::partition_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<64, Tile>{}};
  };
  auto sum = ct::zeros<ct::tile<float, ct::shape<Tile, Tile>>>();
  for (int i = 0; i < (n + 63) / 64; ++i)
    sum = ct::mma(view(a).load_masked(ct::bid().y, i), other(b).load_masked(i, ct::bid().x), sum);
  auto out = ct::partition_view{ct::tensor_span{c, ct::extents{n, n}}, ct::shape<Tile, Tile>{}};
  out.store_masked(ct::element_cast<__half>(sum), ct::bid().y, ct::bid().x);
}

void go(const __half *a, const __half *b, __half *c, int n) {
  product<128><<<dim3(n / 128, n / 128), 1>>>(a, b, c, n);
  product<64><<<dim3(n / 64, n / 64), 1>>>(a, b, c, n);
}
