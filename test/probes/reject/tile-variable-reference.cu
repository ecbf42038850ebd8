// reject: a tile variable that is a reference
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int a = 4;
__tile__ int &r = a;

__tile_global__ void k(int *out) { out[0] = r; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
