// accept: a const double that is computed from others
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

const double a = 1.5, b = a * 2;

__tile_global__ void k(int *out) { out[0] = int(b); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
