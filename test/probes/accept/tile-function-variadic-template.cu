// accept: packs and folds
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class... T> __tile__ auto sum(T... x) { return (x + ... + 0); }
template <class T, class... R> __tile__ T first(T a, R...) { return a; }

__tile_global__ void k(int *out) {
  out[0] = sum(1, 2, 3);
  out[1] = first(7, 2.5, 'c');
  out[2] = sum();
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
