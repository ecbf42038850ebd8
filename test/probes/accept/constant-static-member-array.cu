// accept: a static constexpr array that is a member
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  static constexpr int a[3] = {1, 2, 3};
};

__tile_global__ void k(int *out) { out[0] = S::a[1]; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
