// reject: __builtin_assume
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  int n = out[0];
  __builtin_assume(n >= 0);
  out[0] = n / 2 + 1;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
