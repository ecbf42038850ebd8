// accept: a kernel that is declared several times with other parameter names
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void later(int *a, int b);
__tile_global__ void later(int *c, int = 4);
__tile_global__ void later(int *p, int q) { p[1] = q; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
