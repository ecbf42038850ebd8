// The layout that one operation requires overrode another's: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void two_scans(const float *x, float *y, float *z) {
  auto row = ct::iota<ct::tile<int, ct::shape<64, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, 64>>>();
  auto down = ct::partial_sum<0>(ct::load(x + (row * 64 + column)));
  ct::store(y + (row * 64 + column), down);
  ct::store(z + column, ct::partial_sum<1>(ct::reduce_max<0>(down)));
}

int main() {
  run::array<float> x(4096, [](auto) { return 1; }), y(4096), z(64);
  two_scans<<<1, 1>>>(x, y, z);
  run::expect("down", y, [](auto i) { return i / 64 + 1; });
  run::expect("along", z, [](auto i) { return 64 * (i + 1); });
  return run::finish();
}
