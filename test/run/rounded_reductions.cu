// Reductions and scans round and flush as they are told. The order of combination is not defined,
// so each row has few elements that are not neutral: then every order gives the same bits.
#include "run.h"
#include <cuda_tile.h>
#include <string>
namespace ct = cuda::tiles;

constexpr int rows = 4, columns = 128;

template <class T> __tile__ auto load(const T *x) {
  auto row = ct::iota<ct::tile<int, ct::shape<rows, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<columns>>>();
  return ct::load(x + (row * columns + column));
}

// sum, prod and the last of partial_sum in a mode, a result per row each.
template <class Mode, class T> __tile_global__ void fold(const T *x, const T *y, T *z) {
  auto a = load(x), b = load(y);
  auto row = ct::iota<ct::tile<int, ct::shape<rows, 1>>>();
  ct::store(z + row, ct::sum(a, ct::integral_constant<1>{}, Mode{}));
  ct::store(z + row + rows, ct::prod(b, ct::integral_constant<1>{}, Mode{}));
  auto sums = ct::partial_sum(a, ct::integral_constant<1>{}, Mode{});
  ct::store(z + row + 2 * rows, ct::extract(sums, ct::shape<rows, 1>{}, 0, columns - 1));
}

__tile_global__ void flush(const float *x, const float *y, float *z) {
  constexpr auto along = ct::integral_constant<1>{};
  auto a = load(x), b = load(y);
  auto row = ct::iota<ct::tile<int, ct::shape<rows, 1>>>();
  using rn = ct::round_ties_to_even_t;
  using ftz = ct::round_subnormals_to_zero_t;
  ct::store(z + row, ct::sum(a, along, rn{}, ftz{}));
  ct::store(z + row + rows, ct::prod(b, along, rn{}, ftz{}));
  ct::store(z + row + 2 * rows, ct::reduce_max(a, along, ct::suppress_nan_t{}, ftz{}));
  ct::store(z + row + 3 * rows, ct::reduce_min(a, along, ct::propagate_nan_t{}, ftz{}));
  ct::store(z + row + 4 * rows, ct::sum(a, along, ct::round_toward_positive_t{}, ftz{}));
}

__tile_global__ void bools(const bool *x, bool *z, unsigned *places) {
  auto a = load(x);
  auto row = ct::iota<ct::tile<int, ct::shape<rows, 1>>>();
  ct::store(z + row, ct::sum<1>(a)); // of one bit
  ct::store(z + row + rows, ct::prod<1>(a));
  ct::store(z + row + 2 * rows, ct::reduce_max<1>(a));
  ct::store(z + row + 3 * rows, ct::reduce_min<1>(a));
  ct::store(places + row, ct::max_element<1>(a));
  ct::store(places + row + rows, ct::min_element<1>(a));
}

// Row i has `large` at 3 and `small` at 100, both negative in odd rows; all else is `neutral`.
template <class T> T element(std::size_t i, double neutral, double large, double small) {
  const int column = int(i % columns), row = int(i / columns);
  const double x = column == 3 ? large : column == 100 ? small : neutral;
  using exact = std::conditional_t<std::is_same_v<T, double>, double, float>;
  return T(exact(x != neutral && row % 2 ? -x : x));
}

template <class T, class Mode>
void check(const char *name, int digits, const double (&sums)[2], const double (&products)[2]) {
  const double one = std::ldexp(1, digits); // its unit in the last place is 2
  run::array<T> x(rows * columns, [&](auto i) { return element<T>(i, 0, one, 1); });
  run::array<T> y(rows * columns, [&](auto i) {
    return element<T>(i, 1, 1 + std::ldexp(1, 1 - digits), 1 + std::ldexp(1, 1 - digits));
  });
  run::array<T> z(3 * rows);
  fold<Mode, T><<<1, 1>>>(x, y, z);
  run::expect(name, z, [&](auto i) {
    const int odd = i % 2;
    return i / rows == 1 ? products[0] : (odd ? -1 : 1) * (one + 2 * sums[odd]);
  }, 0);
}

// The sum of one and half of its last place, and the product of two numbers just above 1.
template <class T> void check_modes(const std::string &name, int digits) {
  const double up = std::ldexp(1, 1 - digits), below = 1 + 2 * up, above = 1 + 3 * up;
  check<T, ct::round_ties_to_even_t>((name + " rn").c_str(), digits, {0, 0}, {below, below});
  check<T, ct::round_toward_zero_t>((name + " rz").c_str(), digits, {0, 0}, {below, below});
  check<T, ct::round_toward_negative_t>((name + " rm").c_str(), digits, {0, 1}, {below, below});
  check<T, ct::round_toward_positive_t>((name + " rp").c_str(), digits, {1, 0}, {above, above});
}

int main() {
  check_modes<float>("f32", 24);
  check_modes<double>("f64", 53);
  check_modes<__half>("f16", 11);
  check_modes<__nv_bfloat16>("bf16", 8);

  const double subnormal = std::ldexp(1, -130);
  run::array<float> x(rows * columns, [&](auto i) { return element<float>(i, 0, subnormal, 0); });
  run::array<float> y(rows * columns, [&](auto i) {
    return element<float>(i, 1, std::ldexp(1, -70), std::ldexp(1, -60));
  });
  run::array<float> z(5 * rows);
  flush<<<1, 1>>>(x, y, z);
  run::expect("flushed", z, [](auto) { return 0; }, 0);

  run::array<bool> b(rows * columns, [](auto i) { return i / columns == 1 || i == 5 || i == 9; });
  run::array<bool> folded(4 * rows);
  run::array<unsigned> places(2 * rows);
  bools<<<1, 1>>>(b, folded, places);
  run::expect("bool", folded, [](auto i) {
    const int row = i % rows;
    const bool all[] = {false, row == 1, row < 2, row == 1};
    return double(all[i / rows]);
  });
  run::expect("places", places, [](auto i) { return i == 0 ? 5. : 0.; });
  return run::finish();
}
