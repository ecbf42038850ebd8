// reject: std::numeric_limits in tile code
#include <limits>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) {
  constexpr int m = std::numeric_limits<int>::max();
  out[0] = m;
  out[1] = std::numeric_limits<int>::digits;
}
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
