// accept: a hint on a tile function
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

[[cutile::hint(0, occupancy = 2)]] __tile__ int t(int p) { return p + 1; }

__tile_global__ void k(int *out) { out[0] = t(1); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
