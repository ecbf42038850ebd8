// accept: a local extern declaration
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int g = 4;

__tile_global__ void k(int *out) {
  extern int g;
  out[0] = g;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
