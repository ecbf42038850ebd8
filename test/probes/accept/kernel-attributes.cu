// accept: standard attributes on a kernel and its parameters
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

[[maybe_unused]] __tile_global__ void a([[maybe_unused]] int *p, int) {}
[[deprecated]] __tile_global__ void b(int *p) { p[1] = 2; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
