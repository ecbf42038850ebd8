// Numeric modifiers: rounding, subnormal numbers, NaN, and the padding of views.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;

// [tile:rounding_mode] The precise ones yield one of the two neighbours of an inexact result:
// [tile:round_ties_to_even] [tile:round_toward_zero] [tile:round_toward_negative]
// [tile:round_toward_positive]. [tile:default_rounding_mode] Ties to even, where none is given.
template <class T> __tile__ void rounded(T *out, T one, T part) {
  auto i = ct::iota<tile<int, 2>>();
  auto x = ct::select(i == 0, ct::full<tile<T, 2>>(one), ct::full<tile<T, 2>>(-one));
  auto y = ct::select(i == 0, ct::full<tile<T, 2>>(part), ct::full<tile<T, 2>>(-part));
  ct::store(out + i, ct::add(x, y, ct::round_ties_to_even_t{}));
  ct::store(out + 2 + i, ct::add(x, y, ct::round_toward_zero_t{}));
  ct::store(out + 4 + i, ct::add(x, y, ct::round_toward_negative_t{}));
  ct::store(out + 6 + i, ct::add(x, y, ct::round_toward_positive_t{}));
  ct::store(out + 8 + i, ct::add(x, y));
  ct::store(out + 10 + i, x + y);
}
// eps is the distance of 1 to the next number: 1 + 1/2 eps is a tie, 1 + 3/2 eps is one.
__tile_global__ void rounds(float *f, double *d) {
  rounded(f, 1.0f, 0x1.8p-23f);
  rounded(f + 12, 1.0f, 0x1p-24f);
  rounded(d, 1.0, 0x1.8p-52);
}
static_assert(ct::default_rounding_mode() == ct::rounding_mode::round_ties_to_even);
__tile_global__ void example(float *out) {
  float eps = 0x0.000002p0f;
  out[0] = ct::add(8.0f, 5 * eps, ct::round_toward_negative_t{});
  out[1] = ct::add(8.0f, 5 * eps);
  // [tile:round_approximate] [tile:round_full] Near the result, and faster.
  out[2] = ct::div(1.0f, 3.0f, ct::round_approximate_t{});
  out[3] = ct::div(1.0f, 3.0f, ct::round_full_t{});
}
template <class T, class M>
concept adds = requires(T t, M m) { ct::add(t, t, m); };
static_assert(adds<float, ct::round_toward_zero_t> && !adds<float, ct::round_approximate_t>);
static_assert(!adds<int, ct::round_toward_zero_t> && !adds<float, ct::round_full_t>);

// [tile:subnormals_rounding_mode] [tile:preserve_subnormals] [tile:round_subnormals_to_zero]
// Operands and results that are subnormal become zero, of their sign.
// [tile:default_subnormals_rounding_mode] They are kept.
static_assert(ct::default_subnormals_rounding_mode() ==
              ct::subnormals_rounding_mode::preserve_subnormals);
__tile_global__ void subnormals(float *out, float small, float smaller) {
  using even = ct::round_ties_to_even_t;
  using flush = ct::round_subnormals_to_zero_t;
  out[0] = ct::sub(small, smaller, even{}, flush{});
  out[1] = ct::sub(small, smaller, even{}, ct::preserve_subnormals_t{});
  out[2] = ct::sub(small, smaller);
  out[3] = 1 / ct::sub(smaller, small, even{}, flush{}); // of -0
  float tiny = small - smaller;
  out[4] = ct::mul(tiny, 0x1p30f, even{}, flush{});
  out[5] = 1 / ct::mul(-tiny, 0x1p30f, even{}, flush{}); // of -0
  out[6] = ct::mul(tiny, 0x1p30f);
}
template <class T>
concept flushes =
    requires(T t) { ct::sub(t, t, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}); };
static_assert(flushes<float> && !flushes<double> && !flushes<__half>);

// [tile:nan_propagation_mode] [tile:suppress_nan] [tile:propagate_nan]
// [tile:default_nan_propagation_mode] A NaN is suppressed where the other operand is a number.
static_assert(ct::default_nan_propagation_mode() == ct::nan_propagation_mode::suppress_nan);
__tile_global__ void nans(float *out, float nan) {
  auto i = ct::iota<tile<int, 4>>();
  auto none = ct::full<tile<float, 4>>(nan), x = ct::element_cast<float>(i);
  auto a = ct::select(i % 2 == 0, none, x), b = ct::select(i / 2 == 0, none, x + 10);
  ct::store(out + i, ct::max(a, b));
  ct::store(out + 4 + i, ct::min(a, b, ct::suppress_nan_t{}));
  ct::store(out + 8 + i, ct::max(a, b, ct::propagate_nan_t{}));
  ct::store(out + 12 + i, ct::min(a, b, ct::propagate_nan_t{}));
}

// [tile:view_padding] [tile:zero_view_padding] [tile:positive_infinity_view_padding]
// [tile:negative_infinity_view_padding] [tile:nan_view_padding] [tile:default_view_padding] What a
// masked load finds outside: zero, where nothing else is asked for.
static_assert(ct::default_view_padding() == ct::view_padding::zero);
__tile_global__ void pads(float *in, float *out, int *whole, int *integers) {
  auto view = ct::partition_view{ct::tensor_span{in, ct::extents{3}}, ct::shape<4>{}};
  auto at = ct::iota<tile<int, 4>>();
  ct::store(out + at, view.load_masked(0));
  ct::store(out + 4 + at, view.load_masked(ct::view_padding_zero_t{}, 0));
  ct::store(out + 8 + at, view.load_masked(ct::view_padding_positive_inf_t{}, 0));
  ct::store(out + 12 + at, view.load_masked(ct::view_padding_negative_inf_t{}, 0));
  ct::store(out + 16 + at, view.load_masked(ct::view_padding_nan_t{}, 0));
  auto ints = ct::partition_view{ct::tensor_span{whole, ct::extents{3}}, ct::shape<4>{}};
  ct::store(integers + at, ints.load_masked(0));
}

int main() {
  run::array<float> f(24), four(4), small(7), nan(16), in(3, [](int i) { return i + 1; }),
      padded(20);
  run::array<double> d(12);
  rounds<<<1, 1>>>(f, d);
  auto near = [](double eps, bool tie) {
    return [=](int i) {
      const int mode = i % 12 / 2;
      const bool up = mode == 2 ? i % 2 == 1 : mode == 3 ? i % 2 == 0 : mode != 1;
      const double low = 1 + (tie ? 0 : eps), high = low + eps;
      const bool nearest = mode != 1 && mode != 2 && mode != 3;
      return (i % 2 ? -1 : 1) * (nearest ? (tie ? 1.0 : high) : up ? high : low);
    };
  };
  run::expect("floats", f, [&](int i) { return near(0x1p-23, i >= 12)(i); }, 0);
  run::expect("doubles", d, near(0x1p-52, false), 0);
  example<<<1, 1>>>(four);
  run::expect("example", four, [](int i) { return i == 0 ? 8.0 : i == 1 ? 8 + 0x1p-20 : 1 / 3.0; });
  if (four[0] != 8 || four[1] == 8)
    std::printf("wrong: the example of a rounding mode\n"), ++run::failures;
  subnormals<<<1, 1>>>(small, 0x1.1p-126f, 0x1.0p-126f);
  run::expect(
      "subnormals", small,
      [](int i) {
        const double wanted[] = {0, 0x1p-130, 0x1p-130, -INFINITY, 0, -INFINITY, 0x1p-100};
        return wanted[i];
      },
      0);
  nans<<<1, 1>>>(nan, NAN);
  run::expect("NaN", nan, [](int i) {
    const double wanted[] = {NAN, 1, 12, 13, NAN, 1, 12, 3, NAN, NAN, NAN, 13, NAN, NAN, NAN, 3};
    return wanted[i];
  });
  run::array<int> whole(3, [](int i) { return i + 1; }), integers(4);
  pads<<<1, 1>>>(in, padded, whole, integers);
  run::expect("padding", padded, [](int i) {
    const double outside[] = {0, 0, INFINITY, -INFINITY, NAN};
    return i % 4 < 3 ? i % 4 + 1 : outside[i / 4];
  });
  run::expect("integers", integers, [](int i) { return i < 3 ? i + 1 : 0; });
  return run::finish();
}
