// accept: a hint on a return statement
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int f(int x) { [[cutile::hint(0, latency = 2)]] return x; }

__tile_global__ void k(int *out) { out[0] = f(3); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
