// A pointer chosen among three became a switch over char pointers: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void chosen(float *a, float *b, float *c, int which) {
  float *out = which == 0 ? a : which == 1 ? b : c;
  out[0] = which + 1;
}

int main() {
  run::array<float> x(3);
  for (int which = 0; which < 3; ++which)
    chosen<<<1, 1>>>(x, x + 1, x + 2, which);
  run::expect("x", x, [](auto i) { return i + 1; });
  return run::finish();
}
