// reject: bit counting builtins
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  unsigned x = 0x00f0u + unsigned(out[0]);
  out[0] = __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctz(x) + __builtin_ffs(int(x));
  out[1] = __builtin_popcountll(0xffull << 40) + __builtin_clzll(1ull << 40) +
           __builtin_ctzll(1ull << 40);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
