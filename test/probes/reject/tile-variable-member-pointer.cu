// reject: a tile variable that is a pointer to a member
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a;
};
__tile__ int S::*m = &S::a;

__tile_global__ void k(int *out) {
  S s{3};
  out[0] = s.*m;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
