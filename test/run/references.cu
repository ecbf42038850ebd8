// Parameters may be references; a kernel then reads and writes what the caller named.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void scalars(int &count, const float &scale, float *x) {
  x[0] = scale * 2 + count;
  count = 7;
}

template <class T> __tile_global__ void through_template(T &first, int n) {
  auto lane = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(&first + lane, ct::load(&first + lane) + n);
}

int main() {
  run::array<int> count(1, [](auto) { return 4; });
  run::array<float> scale(1, [](auto) { return 3; }), x(1);
  scalars<<<1, 1>>>(*count.device, *scale.device, x);
  run::expect("read", x, [](auto) { return 10; });
  run::expect("written", count, [](auto) { return 7; });

  run::array<int> a(16, [](auto i) { return i; });
  through_template<<<1, 1>>>(*a.device, 5);
  run::expect("through_template", a, [](auto i) { return i + 5; });
  return run::finish();
}
