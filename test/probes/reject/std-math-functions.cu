// reject: functions of <cmath> on scalars
#include <cmath>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) {
  float x = 2.0f + out[0];
  out[0] = int(std::sqrt(x * 2) + std::abs(-x));
}
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
