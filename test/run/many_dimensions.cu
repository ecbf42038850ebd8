// A tile may have any number of dimensions.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void squares(int *result) {
  using tile =
      ct::tile<int, ct::shape<1, 1, 2, 1, 1, 1, 4, 1, 1, 1, 1, 8, 1, 1, 1, 1, 1, 2, 1, 1, 4>>;
  const auto i = ct::iota<tile>();
  const auto even = ct::sum<2>(ct::sum<11>(i));
  ct::store(result + i, i * i + even);
}

int main() {
  run::array<int> r(512);
  squares<<<1, 1>>>(r);
  run::expect("squares", r, [](auto i) {
    double sum = 0;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 8; ++b)
        sum += a * 256 + (i / 64 % 4) * 64 + b * 8 + i % 8;
    return i * i + sum;
  });
  return run::finish();
}
