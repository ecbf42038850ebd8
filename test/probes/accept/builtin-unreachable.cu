// accept: __builtin_unreachable
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  switch (out[0]) {
  case 0: out[0] = 4; break;
  default: __builtin_unreachable();
  }
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
