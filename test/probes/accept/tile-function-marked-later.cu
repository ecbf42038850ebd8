// accept: a host function that is declared as a tile function afterwards
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

int f(int x);
__tile__ int f(int x) { return x + 1; }

__tile_global__ void k(int *out) { out[0] = f(1); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
