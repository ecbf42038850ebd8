// reject: a tile variable that is an array of pointers
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int *p[3];

__tile_global__ void k(int *out) { out[0] = p[1] == nullptr; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
