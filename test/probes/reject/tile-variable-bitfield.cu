// reject: a bit-field of a tile variable
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a : 3;
};
__tile__ S s;

__tile_global__ void k(int *out) { out[0] = s.a; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
