// reject: functions of the C math library on scalars
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  float x = 2.0f + out[0];
  out[0] = int(sqrtf(x * 2) + fabsf(-x) + powf(x, 3.0f));
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
