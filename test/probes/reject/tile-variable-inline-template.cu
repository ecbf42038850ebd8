// reject: an inline variable template of tile code
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> inline __tile__ T a = 3;

__tile_global__ void k(int *out) { out[0] = a<int>; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
