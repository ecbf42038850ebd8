// accept: hints on statements of every kind
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  [[cutile::hint(0, latency = 2)]] out[0] = 1;
  [[cutile::hint(0, latency = 2)]] if (out[0])
    out[1] = 2;
  [[cutile::hint(0, latency = 2)]] for (int i = 0; i < 2; i++)
    out[2] = i;
  [[cutile::hint(0, latency = 2)]] { out[3] = 4; }
  [[cutile::hint(0, latency = 2)]];
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
