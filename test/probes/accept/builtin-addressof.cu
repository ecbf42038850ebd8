// accept: __builtin_addressof and __builtin_launder
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  int a = 4;
  *__builtin_addressof(a) = 5;
  out[0] = a;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
