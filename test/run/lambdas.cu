// Lambdas in tile code: captures by reference and by value, generic parameters, called at once,
// handed to a function template.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;

template <class F> __tile__ auto repeat(int times, F f) {
  for (int i = 0; i < times; ++i)
    f(i);
}

__tile_global__ void accumulate(const float *x, float *y, int n, bool twice) {
  auto rows = ct::partition_view{ct::tensor_span{x, ct::extents{n * 64}}, ct::shape<64>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{2 * 64}}, ct::shape<64>{}};
  auto sum = ct::zeros<row>(), largest = ct::full<row>(-100.0f);
  repeat(n, [&](int i) {
    auto value = rows.load(i);
    sum = sum + value;
    largest = ct::max(largest, value);
  });
  const float factor = [twice] { return twice ? 2.0f : 1.0f; }();
  auto times = [factor](auto tile) { return tile * factor; };
  out.store(times(sum), 0);
  out.store(times(largest), 1);
}

int main() {
  run::array<float> x(5 * 64, [](auto i) { return run::small(i); }), y(2 * 64);
  accumulate<<<1, 1>>>(x, y, 5, true);
  run::expect("accumulate", y, [&](auto i) {
    double sum = 0, largest = -100;
    for (int k = 0; k < 5; ++k) {
      sum += x[k * 64 + i % 64];
      largest = std::fmax(largest, x[k * 64 + i % 64]);
    }
    return 2 * (i < 64 ? sum : largest);
  });
  return run::finish();
}
