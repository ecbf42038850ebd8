// volatile was dropped: a block that waits for another's number may wait for ever.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void wait(volatile int *here, volatile int *there, int *out) {
  if (ct::bid().x == 0) {
    while (*here == 0)
      ;
    *there = 7;
  } else {
    *here = 1;
    while (*there == 0)
      ;
    out[0] = *there;
  }
}

int main() {
  run::array<int> here(1), there(1), out(1);
  wait<<<2, 1>>>(here.device, there.device, out);
  run::expect("out", out, [](auto) { return 7; });
  return run::finish();
}
