// reject: a kernel that is noexcept(false)
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void a(int *p) noexcept(false) { p[1] = 2; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
