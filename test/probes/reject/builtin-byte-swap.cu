// reject: byte swapping and rotation builtins
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  unsigned x = 0x01020304u + unsigned(out[0]);
  out[0] = int(__builtin_bswap32(x));
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
