// A const pointer that is merged or carried by a loop lost const: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void merged(const float *a, const float *b, float *o, int n) {
  const float *from = n > 5 ? a : b;
  for (int i = 0; i < n; ++i)
    o[i] = from[i];
}
__tile_global__ void carried(const float *a, float *o, int n, int stride) {
  for (int i = 0; i < n; ++i, a += stride)
    o[i] = *a;
}
__tile_global__ void assumed(const float *a, float *o) {
  if (a != nullptr)
    a = ct::assume_aligned<16>(a);
  o[0] = a ? a[1] : 3.0f;
}

int main() {
  run::array<float> a(64, [](auto i) { return i; }), b(64, [](auto i) { return 100 + i; });
  run::array<float> low(4), steps(5), one(1);
  merged<<<1, 1>>>(a, b, low, 4);
  run::expect("merged", low, [](auto i) { return 100 + i; });
  carried<<<1, 1>>>(a, steps, 5, 3);
  run::expect("carried", steps, [](auto i) { return 3 * i; });
  assumed<<<1, 1>>>(a, one);
  run::expect("assumed", one, [](auto) { return 1; });
  return run::finish();
}
