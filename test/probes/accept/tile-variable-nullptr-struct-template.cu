// accept: a tile variable of a class template
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> struct box {
  T value;
};
__tile__ box<float> b = {2.5f};

__tile_global__ void k(int *out) { out[0] = int(b.value * 2); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
