// The greatest and the least of negated integers, in one tile and of several.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T> __tile_global__ void extremes(const T *x, T *result) {
  const auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  const auto a = ct::load(x + i), b = ct::load(x + 64 + i), c = ct::load(x + 128 + i),
             d = ct::load(x + 192 + i);
  ct::store(result + i, ct::max(ct::max(-a, -b), ct::max(-c, -d)));
  ct::store(result + 64 + i, ct::min(ct::min(-a, -b), ct::min(c, -d)));
  ct::store(result + 128 + i, ct::max(-a, ct::min(-b, ct::abs(c))));
  const auto all =
      ct::reshape(ct::load(x + ct::iota<ct::tile<int, ct::shape<256>>>()), ct::shape<16, 16>{});
  const auto most = ct::reduce_max<0>(-all);
  const auto least = ct::reduce_min<1>(-all);
  const auto j = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(result + 192 + j, ct::reshape(most, ct::shape<16>{}));
  ct::store(result + 208 + j, ct::reshape(least, ct::shape<16>{}));
}

template <class T> void check(const char *name) {
  run::array<T> x(256, [](auto i) { return T(i * 2654435761u >> 9) % T(100) - T(50); }), r(224);
  extremes<T><<<1, 1>>>(x, r);
  run::expect(name, r, [&](auto i) {
    const auto at = [&](std::size_t k) { return -double(x[k]); };
    const std::size_t j = i % 64, k = i % 16;
    if (i < 64)
      return std::fmax(std::fmax(at(j), at(j + 64)), std::fmax(at(j + 128), at(j + 192)));
    if (i < 128)
      return std::fmin(std::fmin(at(j), at(j + 64)), std::fmin(-at(j + 128), at(j + 192)));
    if (i < 192)
      return std::fmax(at(j), std::fmin(at(j + 64), std::fabs(at(j + 128))));
    double extreme = at(i < 208 ? k : 16 * k);
    for (std::size_t n = 1; n < 16; ++n)
      extreme = i < 208 ? std::fmax(extreme, at(k + 16 * n)) : std::fmin(extreme, at(16 * k + n));
    return extreme;
  });
}

int main() {
  check<int>("int");
  check<short>("short");
  check<signed char>("signed char");
  check<long long>("long long");
  return run::finish();
}
