// Structs of tiles in an array that is copied, with an index of run time, were refused.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

using row = ct::tile<float, ct::shape<16>>;
struct pair {
  row a, b;
};
struct nest {
  pair p[2];
  row last;
};
__tile_global__ void copied(const float *in, float *out, int i) {
  auto lane = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto x = ct::load(in + lane);
  nest n{{{x, x + 1.0f}, {x + 2.0f, x + 3.0f}}, x + 4.0f};
  nest m = n;
  m.p[i].b = n.p[1 - i].a + m.last;
  ct::store(out + lane, m.p[0].b * 100.0f + m.p[1].b);
}

int main() {
  run::array<float> x(16, [](auto i) { return i; }), y(16);
  copied<<<1, 1>>>(x, y, 1);
  run::expect("y", y, [](auto i) { return (i + 1) * 100 + 2 * i + 4; });
  return run::finish();
}
