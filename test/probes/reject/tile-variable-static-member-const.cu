// reject: a static const member marked __tile__
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  static __tile__ const int a = 4;
};

__tile_global__ void k(int *out) { out[0] = S::a; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
