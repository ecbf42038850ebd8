// accept: offsetof in tile code
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  char c;
  int a;
};

__tile_global__ void k(int *out) { out[0] = __builtin_offsetof(S, a); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
