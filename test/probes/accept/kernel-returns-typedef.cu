// accept: a kernel whose return type is a name for void
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

using nothing = void;
__tile_global__ nothing named(int *p) { p[1] = 2; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
