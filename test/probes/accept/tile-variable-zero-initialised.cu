// accept: tile variables without initialisers are zero
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int a;
__tile__ double b[3];
struct S {
  int x, y;
};
__tile__ S s;

__tile_global__ void k(int *out) { out[0] = a + int(b[2]) + s.y; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
