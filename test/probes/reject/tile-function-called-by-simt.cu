// reject: a tile function called by SIMT code
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int f(int x) { return x + 1; }
__device__ int simt() { return f(1); }

__tile_global__ void k(int *out) { out[0] = f(1); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
