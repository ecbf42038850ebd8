// reject: a static variable of the host that is not constant
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

static int a = 3;

__tile_global__ void k(int *out) { out[0] = a; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
