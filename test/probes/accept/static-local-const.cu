// accept: static local constants
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  static const int a = 4;
  static constexpr float b = 1.5f;
  static constexpr int c[3] = {1, 2, 3};
  out[0] = a + int(b * 2) + c[out[0] & 1];
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
