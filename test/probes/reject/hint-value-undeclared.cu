// reject: a hint whose value names what is declared nowhere
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

[[cutile::hint(0, occupancy = nothing + 1)]] __tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
