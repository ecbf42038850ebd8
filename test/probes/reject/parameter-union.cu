// reject: a union as a parameter
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

union U {
  int a;
  float b;
};
__tile_global__ void p(U u, int *out) { out[0] = u.a; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
