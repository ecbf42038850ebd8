// reject: a string as a value
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

[[cutile::hint(0, occupancy = "two")]] __tile_global__ void t(int *p) { p[0] = 1; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
