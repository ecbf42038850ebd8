// accept: a hint on a declaration in a kernel
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  [[cutile::hint(0, latency = 2)]] int a = out[0];
  [[cutile::hint(0, latency = 2)]] auto x = ct::iota<ct::tile<int, ct::shape<4>>>();
  out[1] = a + int(ct::sum<0>(x));
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
