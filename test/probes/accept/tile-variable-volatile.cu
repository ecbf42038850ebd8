// accept: a volatile tile variable
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ volatile int a = 5;

__tile_global__ void k(int *out) {
  a = a + 1;
  out[0] = a;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
