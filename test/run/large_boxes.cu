// Boxes that take a quarter of a thread's registers and more, inside or outside as a whole.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T> __tile_global__ void copy(const T *x, T *result, int n) {
  auto from = ct::partition_view{ct::tensor_span{x, ct::extents{3_ic, 128_ic, 128_ic}},
                                 ct::shape<1, 128, 128>{}};
  auto to = ct::partition_view{ct::tensor_span{result, ct::extents{5_ic, 128_ic, 128_ic}},
                               ct::shape<1, 128, 128>{}};
  for (int i = 0; i < n; ++i)
    to.store_masked(from.load_masked(4 - i, 0, 0) + from.load_masked(i, 0, 0), i, 0, 0);
}

template <class T> void check(const char *name) {
  run::array<T> x(3 * 16384, [](auto i) { return T(i % 251); }), r(5 * 16384);
  copy<T><<<1, 1>>>(x, r, 5);
  run::expect(name, r, [&](auto i) {
    const std::size_t box = i / 16384, at = i % 16384;
    const double a = box > 1 ? double(x[(4 - box) * 16384 + at]) : 0;
    return a + (box < 3 ? double(x[i]) : 0);
  });
}

int main() {
  check<int>("int");
  check<float>("float");
  check<short>("short");
  check<double>("double");
  return run::finish();
}
