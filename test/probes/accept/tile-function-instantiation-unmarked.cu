// accept: an explicit instantiation of a tile function template without its mark
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> __tile__ T twice(T x) { return x + x; }
template int twice<int>(int x);
__tile_global__ void k(int *out) { out[0] = twice(4); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
