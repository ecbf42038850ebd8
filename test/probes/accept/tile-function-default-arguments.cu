// accept: default arguments of tile functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int base() { return 5; }
__tile__ int f(int x, int y = base(), int z = 2) { return x * y + z; }

__tile_global__ void k(int *out) {
  out[0] = f(1);
  out[1] = f(2, 3);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
