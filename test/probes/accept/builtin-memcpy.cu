// accept: __builtin_memcpy and __builtin_memset of local objects
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  int a[4] = {1, 2, 3, 4}, b[4];
  __builtin_memcpy(b, a, sizeof a);
  __builtin_memset(a, 0, sizeof a);
  out[0] = b[3] + a[2];
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
