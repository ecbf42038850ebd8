// Arrays of tiles, indexed by constants, by loop counters and by numbers read from memory.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using part = ct::tile<float, ct::shape<8, 8>>;

__tile__ auto view(const float *x, int parts) {
  return ct::partition_view{ct::tensor_span{x, ct::extents{parts * 8, ct::integral_constant<8>{}}},
                            ct::shape<8, 8>{}};
}
__tile__ auto view(float *x, int parts) {
  return ct::partition_view{ct::tensor_span{x, ct::extents{parts * 8, ct::integral_constant<8>{}}},
                            ct::shape<8, 8>{}};
}

__tile_global__ void reversed(const float *x, float *y) {
  part parts[4];
  for (int i = 0; i < 4; ++i)
    parts[i] = view(x, 4).load(i, 0);
  for (int i = 0; i < 4; ++i)
    view(y, 4).store(parts[3 - i] + float(i), i, 0);
}

__tile_global__ void chosen(const float *x, float *y, const int *which, int n) {
  part sums[3];
  for (auto &sum : sums)
    sum = ct::zeros<part>();
  for (int i = 0; i < n; ++i)
    sums[which[i]] = sums[which[i]] + view(x, n).load(i, 0);
  for (int i = 0; i < 3; ++i)
    view(y, 3).store(sums[i], i, 0);
}

int main() {
  run::array<float> x(6 * 64, [](auto i) { return run::small(i); }), y(4 * 64), z(3 * 64);
  run::array<int> which(6, [](auto i) { return (i * i) % 3; });
  reversed<<<1, 1>>>(x, y);
  run::expect("reversed", y,
              [&](auto i) { return x[(3 - i / 64) * 64 + i % 64] + double(i / 64); });
  chosen<<<1, 1>>>(x, z, which, 6);
  run::expect("chosen", z, [&](auto i) {
    double sum = 0;
    for (int k = 0; k < 6; ++k)
      if (which[k] == double(i / 64))
        sum += x[k * 64 + i % 64];
    return sum;
  });
  return run::finish();
}
