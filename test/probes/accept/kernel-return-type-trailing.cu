// accept: a kernel with a trailing return type
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ auto trailing(int *p) -> void { p[1] = 2; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
