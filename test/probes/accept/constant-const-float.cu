// accept: a const float of a namespace
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

const float a = 1.5f;

__tile_global__ void k(int *out) { out[0] = int(a * 2); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
