// accept: sizeof and decltype of a variable of the host
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

int a[5] = {};

__tile_global__ void k(int *out) {
  out[0] = sizeof a;
  decltype(a[0] + 0) b = 4;
  out[1] = b;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
