// accept: a copy of a constexpr struct
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a, b;
};
constexpr S s = {3, 4};

__tile_global__ void k(int *out) {
  S t = s;
  out[0] = t.a + t.b;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
