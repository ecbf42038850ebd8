// accept: explicit specialisations of a tile function template
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> __tile__ int size(T) { return sizeof(T); }
template <> __tile__ int size<double>(double) { return 80; }

__tile_global__ void k(int *out) {
  out[0] = size(1);
  out[1] = size(1.0);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
