// Hints are advice: on kernels, on statements and on declarations of tiles they change no value and
// leave nothing behind.
// RUN: %tessera --dump=tile %s | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-LABEL: func.func @{{.*}}hints
// CHECK-NOT: annotation
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[Y:.*]] = tile.binary add %[[X]], %[[X]]
// CHECK: tile.store %[[Y]]
template <int occupancy>
[[using cutile : hint(1000, num_cta_in_cga = 1), hint(1000, occupancy = occupancy)]]
__tile_global__ void hints(float *x) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  [[cutile::hint(0, latency = 2)]] auto a = ct::load(x + i);
  decltype(a) b;
  [[using cutile : hint(1000, latency = 4)]] b = a + a;
  [[cutile::hint(0, allow_tma = false)]] ct::store(x + i, b);
}

void launch(float *x) { hints<2><<<1, 1>>>(x); }
