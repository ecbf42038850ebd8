// accept: builtins of the C math library
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  float f = -2.25f + out[0];
  out[0] = int(__builtin_fabsf(f) * 4);
  out[1] = int(__builtin_sqrtf(4.0f + out[1]));
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
