// accept: __builtin_inff, __builtin_nanf, __builtin_huge_val
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  out[0] = __builtin_inff() > 1e30f;
  float n = __builtin_nanf("");
  out[1] = n != n;
  out[2] = __builtin_huge_val() > 1e300;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
