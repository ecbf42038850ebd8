// accept: __builtin_fma and friends
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) { out[0] = int(__builtin_fmaf(2.0f, 3.0f, 1.0f + out[0])); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
