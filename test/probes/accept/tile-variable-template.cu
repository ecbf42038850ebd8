// accept: variable templates of tile code
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> __tile__ T zero = T(7);
template <int N> __tile__ const int square = N * N;

__tile_global__ void k(int *out) {
  zero<int> += 1;
  out[0] = zero<int> + square<3>;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
