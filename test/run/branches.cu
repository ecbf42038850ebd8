// if/else chains, switch and ?: that choose between tiles; the condition is the same for the whole
// block.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<32>>;

__tile_global__ void chosen(const float *x, float *y, int n) {
  int which = ct::bid().x;
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents{32}}, ct::shape<32>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{n * 32}}, ct::shape<32>{}};
  auto value = in.load(0);
  row result;
  if (which == 0) {
    result = value + 1.0f;
  } else if (which < 3) {
    if (which == 1)
      result = value * value;
    else
      result = -value;
  } else {
    switch (which) {
    case 3: result = ct::abs(value); break;
    case 4: value = value * 2.0f; [[fallthrough]];
    case 5: result = value - 1.0f; break;
    default: result = ct::zeros<row>();
    }
  }
  auto both = which % 2 ? result : result + 0.5f;
  out.store(both, which);
}

// A branch on a value that was computed from a tile, inside a loop.
__tile_global__ void grow(const float *x, float *y) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents{32}}, ct::shape<32>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{32}}, ct::shape<32>{}};
  auto value = in.load(0);
  for (int i = 0; i < 10; ++i) {
    float sum = static_cast<float>(ct::sum(value, ct::integral_constant<0>{}));
    if (sum > 64.0f)
      value = value * 0.25f;
    else if (sum > 8.0f)
      value = value + 1.0f;
    else
      value = value * 2.0f + 1.0f;
  }
  out.store(value, 0);
}

int main() {
  run::array<float> x(32, [](auto i) { return run::small(i); }), y(7 * 32), z(32);
  chosen<<<7, 1>>>(x, y, 7);
  run::expect("chosen", y, [&](auto i) {
    double v = x[i % 32];
    int which = int(i / 32);
    const double results[] = {v + 1, v * v, -v, std::abs(v), 2 * v - 1, v - 1, 0};
    return results[which] + (which % 2 ? 0 : 0.5);
  });

  grow<<<1, 1>>>(x, z);
  std::vector<double> value(32);
  for (int i = 0; i < 32; ++i)
    value[i] = x[i];
  for (int turn = 0; turn < 10; ++turn) {
    double sum = 0;
    for (double v : value)
      sum += v;
    for (double &v : value)
      v = sum > 64 ? v / 4 : sum > 8 ? v + 1 : 2 * v + 1;
  }
  run::expect("grow", z, [&](auto i) { return value[i]; });
  return run::finish();
}
