// accept: a static local variable counts its calls
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int next() {
  static int n = 3;
  return n++;
}

__tile_global__ void k(int *out) { out[0] = next() + next(); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
