// References as kernel parameters crashed under the emulator.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void scale(int &count, const float &by, float *x) {
  x[0] = by * 2 + count;
  count = 7;
}

int main() {
  run::array<int> count(1, [](auto) { return 4; });
  run::array<float> by(1, [](auto) { return 3; }), x(1);
  scale<<<1, 1>>>(*count.device, *by.device, x);
  run::expect("x", x, [](auto) { return 10; });
  run::expect("count", count, [](auto) { return 7; });
  return run::finish();
}
