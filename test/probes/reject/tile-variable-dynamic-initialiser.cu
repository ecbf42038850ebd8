// reject: a tile variable whose initialiser is not constant
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

int host();
__tile__ int a = host();

__tile_global__ void k(int *out) { out[0] = a; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
