// Scalars and tiles of one element are operands beside tiles, on either side, for every kind of
// operation: they mean the tile that repeats them, also after the tile that they were read from has
// changed.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int count = 256;
using floats = ct::tile<float, ct::shape<4, 64>>;
using ints = ct::tile<int, ct::shape<4, 64>>;

__tile_global__ void of_floats(const float *x, float *y, float s) {
  const auto index = ct::iota<ints>();
  auto a = ct::load(x + index);
  const auto all = ct::reduce_max<1>(ct::reduce_max<0>(a)); // one element
  ct::store(y + index, s - a);
  ct::store(y + index + count, a / s);
  ct::store(y + index + 2 * count, ct::fma(a, s, a));
  ct::store(y + index + 3 * count, ct::fma(ct::full<floats>(s), a, a));
  ct::store(y + index + 4 * count, ct::select(s < 1.f, a, -a));
  ct::store(y + index + 5 * count, ct::select(a < s, a, ct::full<floats>(s)));
  ct::store(y + index + 6 * count, a * all + all);
  a = all - a;
  a = a + a;
  ct::store(y + index + 7 * count, all - a);
}

__tile_global__ void of_ints(const int *n, int *m, int t) {
  const auto index = ct::iota<ints>();
  const auto j = ct::load(n + index);
  const auto one = ct::full<ct::tile<int, ct::shape<1, 1>>>(t);
  ct::store(m + index, t - j);
  ct::store(m + index + count, j / one);
  ct::store(m + index + 2 * count, j << (t & 7));
  ct::store(m + index + 3 * count, one % j);
  ct::store(m + index + 4 * count, ct::element_cast<int>((t < j) && (j != one)));
  ct::store(m + index + 5 * count, ct::load_masked(n + index, j > one, t));
  ct::store_masked(m + index + 6 * count, j, true);
  ct::store(m + index + 7 * count, ct::element_cast<int>((n + index) == n));
}

int main() {
  auto x = [](int i) { return (i * 37 % 101) * 0.25 - 7; };
  auto n = [](int i) { return i * 31 % 17 + 1; };
  constexpr double s = 0.75, most = 18;
  constexpr int t = 5;
  run::array<float> numbers(count, x), y(8 * count);
  run::array<int> integers(count, n), m(8 * count);
  of_floats<<<1, 1>>>(numbers.device, y.device, float(s));
  of_ints<<<1, 1>>>(integers.device, m.device, t);
  run::expect("floats", y, [&](auto at) {
    const double a = x(int(at % count));
    const double wanted[] = {s - a, a / s,         a * s + a,       s * a + a,
                             a,     a < s ? a : s, a * most + most, most - 2 * (most - a)};
    return wanted[at / count];
  });
  run::expect("ints", m, [&](auto at) {
    const int i = int(at % count), j = n(i);
    const int wanted[] = {t - j, j / t, j << t, t % j, t<j, j> t ? j : t, j, i == 0};
    return double(wanted[at / count]);
  });
  return run::finish();
}
