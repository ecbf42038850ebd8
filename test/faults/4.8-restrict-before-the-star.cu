// __restrict__ before the star: nvcc takes it, Clang refused it.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

using real = float;
__tile_global__ void swap(int2 __restrict__ *p, const real __restrict__ *q, float *o) {
  o[0] = p->x + q[0];
  p->y = 4;
}

int main() {
  run::array<int> x(2, [](auto i) { return i + 1; });
  run::array<float> q(1, [](auto) { return 2; }), o(1);
  swap<<<1, 1>>>(reinterpret_cast<int2 *>(x.device), q, o);
  run::expect("x", x, [](auto i) { return i ? 4 : 1; });
  run::expect("o", o, [](auto) { return 3; });
  return run::finish();
}
