// A launch that the host's pass alone sees stayed <<<>>>.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void k(int *p) { p[0] = 5; }

int main() {
  run::array<int> x(1);
#ifndef __CUDA_ARCH__
  k<<<1, 1>>>(x);
#endif
  run::expect("x", x, [](auto) { return 5; });
  return run::finish();
}
