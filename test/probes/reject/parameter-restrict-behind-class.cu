// reject: __restrict__ before the star, behind the name of a class
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a;
};
__tile_global__ void k(int *out, S __restrict__ *s = nullptr) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
