// reject: a reference of the host to a constant
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

const int a = 3;
const int &r = a;

__tile_global__ void k(int *out) { out[0] = r; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
