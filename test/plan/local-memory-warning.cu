// A tile that is too large for the registers of a block is warned of, through the plugin, too.
// RUN: %clang_plugin -S %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void copies(float *p) {
  auto at = ct::iota<ct::tile<int, ct::shape<131072>>>();
  // CHECK: local-memory-warning.cu:[[#@LINE+1]]:{{.*}}warning: a tile of 131072 elements takes {{[0-9]+}} registers of each of {{[0-9]+}} threads; it is placed in local memory, which is slow [tile:tile/tile-in-local-memory]
  auto x = ct::load(p + at);
  ct::store(p + at, x + static_cast<float>(ct::sum<0>(x)));
}
