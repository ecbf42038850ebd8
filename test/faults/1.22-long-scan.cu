// Scans and argument reductions of 1x32768: a crash of the emulator, 256 KiB of local memory a
// thread.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void scan(const int *x, int *y, int *z) {
  auto i = ct::iota<ct::tile<int, ct::shape<1, 32768>>>();
  ct::store(y + i, ct::partial_sum<1>(ct::load(x + i)));
  z[0] = static_cast<int>(ct::max_element<1>(ct::load(x + i)));
}

int main() {
  run::array<int> x(32768, [](auto i) { return i == 20000 ? 9 : i % 3; }), y(32768), z(1);
  scan<<<1, 1>>>(x, y, z);
  std::vector<int> sums(32768);
  for (int i = 0; i < 32768; ++i)
    sums[i] = x.host[i] + (i ? sums[i - 1] : 0);
  run::expect("sums", y, [&](auto i) { return sums[i]; });
  run::expect("place", z, [](auto) { return 20000; });
  return run::finish();
}
