// accept: a struct of arrays and scalars as a result
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a[3];
  float f;
};
__tile__ S make(int x) { return {{x, x + 1, x + 2}, 0.5f}; }

__tile_global__ void k(int *out) {
  S s = make(4);
  out[0] = s.a[2];
  out[1] = int(make(3).f * 4);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
