// reject: a tile variable beyond 16 MiB
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ char h[(1 << 24) + 1];

__tile_global__ void k(int *out) { out[0] = int(h[3]); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
