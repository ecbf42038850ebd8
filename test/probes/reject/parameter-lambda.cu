// reject: a lambda as a parameter
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class F> __tile_global__ void p(F f, int *out) { out[0] = 1; }
void launch(int *out) {
  auto f = [] {};
  p<<<1, 1>>>(f, out);
}

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
