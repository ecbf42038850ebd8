// reject: a constexpr array of the host at a run-time index
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr int a[4] = {1, 2, 3, 4};

__tile_global__ void k(int *out) { out[0] = a[out[0] & 3]; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
