// accept: structured bindings of a struct
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a, b;
};

__tile_global__ void k(int *out) {
  auto [a, b] = S{3, 4};
  out[0] = a + b;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
