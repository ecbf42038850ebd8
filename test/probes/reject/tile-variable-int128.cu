// reject: a tile variable of type __int128
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ __int128 h;

__tile_global__ void k(int *out) { out[0] = int(h); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
