// reject: a static local that is a pointer
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  static int *p = nullptr;
  out[0] = p == nullptr;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
