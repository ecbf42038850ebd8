// accept: hints that macros write
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

#define HINT(a, ...) [[cutile::hint(a, __VA_ARGS__)]]
#define OCC occupancy = 4
HINT(0, OCC) __tile_global__ void t(int *p) { p[0] = 1; }

__tile_global__ void k(int *out) { HINT(900, latency = 3) out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
