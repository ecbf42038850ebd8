// accept: __builtin_assume_aligned
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  int *p = static_cast<int *>(__builtin_assume_aligned(out, 16));
  p[0] = 5;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
