// accept: a tile variable that is a union
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

union U {
  int a;
  float b;
};
__tile__ U u = {1};

__tile_global__ void k(int *out) {
  u.b = 1.5f;
  out[0] = int(u.b * 2);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
