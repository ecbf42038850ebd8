// Reductions and scans lost their rounding: 2^24 + 1 and all else 0, rounded up.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void fold(const float *x, float *y) {
  auto a = ct::load(x + ct::iota<ct::tile<int, ct::shape<128>>>());
  y[0] = float(ct::sum(a, 0_ic, ct::round_toward_positive_t{}));
  auto sums = ct::partial_sum(a, 0_ic, ct::round_toward_positive_t{});
  y[1] = float(ct::extract(sums, ct::shape<1>{}, 127));
}

int main() {
  run::array<float> x(128, [](auto i) { return i == 3 ? 16777216 : i == 100 ? 1 : 0; }), y(2);
  fold<<<1, 1>>>(x, y);
  run::expect("rounded up", y, [](auto) { return 16777218; }, 0);
  return run::finish();
}
