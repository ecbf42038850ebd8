// accept: a static local in a lambda
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  auto f = [] {
    static int n = 1;
    return n++;
  };
  f();
  out[0] = f();
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
