// accept: a kernel that reads a variable template
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> constexpr int size_of = sizeof(T);
template <class T> inline constexpr T pi = T(3.14159);

__tile_global__ void k(int *out) {
  out[0] = size_of<double>;
  out[1] = int(pi<float> * 100);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
