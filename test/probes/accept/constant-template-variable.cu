// accept: variable templates of the host
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> constexpr T pi = T(3.25);
template <int N> const int twice = 2 * N;

__tile_global__ void k(int *out) { out[0] = int(pi<float> * 4) + twice<5>; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
