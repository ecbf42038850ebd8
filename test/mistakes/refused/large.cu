// [tile:tile] A tile that no block's registers hold: it is slow, and compiled.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void variance(float *p) {
  auto x = ct::load(p + ct::iota<ct::tile<int, ct::shape<131072>>>());
  //                  ^ warning: a tile of 131072 elements takes 512 registers of each of 512
  //                threads; it is placed in local memory, which is slow
  //                [tile:tile/tile-in-local-memory]
  // right: auto x = ct::load(p + ct::iota<ct::tile<int, ct::shape<4096>>>());
  auto mean = static_cast<float>(ct::sum<0>(x));
  p[0] = static_cast<float>(ct::sum<0>(x - mean));
}
