// reject: a kernel cannot be a device function as well
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__device__ __tile_global__ void wrong(int *p) { p[0] = 1; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
