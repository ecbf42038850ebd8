// accept: rvalue references in tile functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int take(int &&a) {
  a += 1;
  return a;
}

__tile_global__ void k(int *out) {
  int x = 4;
  out[0] = take(5) + take(static_cast<int &&>(x));
  out[1] = x;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
