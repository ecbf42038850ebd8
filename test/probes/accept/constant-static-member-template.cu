// accept: static members of class templates
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T, int N> struct traits {
  static constexpr int size = sizeof(T) * N;
  static const bool big = N > 4;
  static constexpr float scale = 0.5f;
};

__tile_global__ void k(int *out) {
  out[0] = traits<int, 3>::size + traits<int, 5>::big + int(traits<int, 1>::scale * 4);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
