// accept: a constexpr local array in a lambda
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  constexpr int n[2] = {4, 5};
  auto f = [=](int x) { return x + n[1]; };
  out[0] = f(1);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
