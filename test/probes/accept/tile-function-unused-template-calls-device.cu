// accept: a tile function template that nobody instantiates and that calls a device function
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__device__ int d(int x) { return x; }
template <class T> __tile__ int f(T x) { return d(x); }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
