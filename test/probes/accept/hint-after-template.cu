// accept: a hint behind a kernel's template parameters
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <int N> [[cutile::hint(0, occupancy = N)]] __tile_global__ void t(int *p) { p[0] = N; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
