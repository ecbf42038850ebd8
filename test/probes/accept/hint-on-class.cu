// accept: a hint on a class
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct [[cutile::hint(0, occupancy = 2)]] S {
  int a;
};

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
