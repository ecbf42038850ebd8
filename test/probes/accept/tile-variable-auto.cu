// accept: a tile variable whose type is deduced
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ auto u = 3u;

__tile_global__ void k(int *out) { out[0] = u; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
