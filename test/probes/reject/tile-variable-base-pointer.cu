// reject: a tile variable of a class whose base has a pointer
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct B {
  int *p;
};
struct S : B {
  int x;
};
__tile__ S s;

__tile_global__ void k(int *out) { out[0] = s.x; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
