// accept: a const pointer of the host
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

const int a = 3;
const int *const p = &a;

__tile_global__ void k(int *out) { out[0] = *p; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
