// Conversions: of elements, of shapes, and those of the operands of arithmetic.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <limits>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;
template <class T, class U> constexpr bool widens =
    ct::non_narrowing_tile_convertible_to<tile<T, 8>, tile<U, 8>>;
template <class T, class U> constexpr bool converts =
    ct::tile_convertible_to<tile<T, 8>, tile<U, 8>>;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;
using half = __half;
using bfloat = __nv_bfloat16;
using tf32 = __nv_tf32;

// [tile:extended_floating_point_types] A partial order of ranks; down it and across it conversions
// narrow.
static_assert(widens<e4m3, half> && widens<e4m3, bfloat> && widens<e5m2, half> &&
              widens<e5m2, bfloat>);
static_assert(widens<half, tf32> && widens<bfloat, tf32> && widens<tf32, float> &&
              widens<float, double>);
static_assert(widens<e4m3, double> && widens<half, float> && widens<bfloat, double>);
static_assert(!widens<e4m3, e5m2> && !widens<e5m2, e4m3> && !widens<half, bfloat> &&
              !widens<bfloat, half>);
static_assert(!widens<double, float> && !widens<float, tf32> && !widens<tf32, half> &&
              !widens<half, e4m3>);
// [tile:scalar_conversion] Between any two numeric types, by the language's standard conversions.
static_assert(converts<double, half> && converts<bfloat, half> && converts<float, e4m3>);
static_assert(converts<int, bfloat> && converts<half, int> && converts<e5m2, e4m3>);
static_assert(converts<int, bool> && converts<double, bool> && widens<short, int> &&
              !widens<int, short>);
static_assert(!widens<int, float> && !widens<float, int> && !widens<int, unsigned>);
static_assert(converts<int *, void *> && converts<int *, const int *> && !converts<int *, float *>);
static_assert(!converts<int *, long> && !converts<long, int *> && !converts<const int *, int *>);

// To floating point: to the nearest, ties to even; integers beyond the range become infinite.
template <class To> __tile__ void rounds(const float *in, float *out) {
  auto at = ct::iota<tile<int, 8>>();
  ct::store(out + at, ct::element_cast<float>(ct::element_cast<To>(ct::load(in + at))));
}
__tile_global__ void elements(const float *in, float *out) {
  rounds<half>(in, out);
  rounds<bfloat>(in + 8, out + 8);
  rounds<e4m3>(in + 16, out + 16);
  rounds<e5m2>(in + 24, out + 24);
}
__tile_global__ void integers(const long long *in, float *out) {
  auto at = ct::iota<tile<int, 8>>();
  auto x = ct::load(in + at);
  ct::store(out + at, ct::element_cast<float>(ct::element_cast<half>(x)));
  ct::store(out + 8 + at, ct::element_cast<float>(ct::element_cast<bfloat>(x)));
  ct::store(out + 16 + at, ct::element_cast<float>(x));
}

// [tile:tile_conversion] Elementwise, between tiles of equivalent shape.
static_assert(ct::tile_convertible_to<int, tile<int>> && ct::tile_convertible_to<tile<int>, int>);
static_assert(!ct::tile_convertible_to<int, tile<int, 1>>);
static_assert(!ct::tile_convertible_to<tile<int, 4, 2>, tile<int, 8>>);
// [tile:bool_tile_conversion] To bool; a scalar to a scalar.
static_assert(ct::bool_tile_convertible<tile<e4m3, 8>> &&
              ct::bool_tile_convertible<tile<int *, 8>>);
static_assert(std::is_same_v<ct::tile_with_element_t<float, bool>, bool>);
__tile_global__ void truths(int *out, float zero) {
  auto at = ct::iota<tile<int, 4>>();
  auto x = ct::element_cast<float>(at) * 0.25f + zero;
  ct::store(out + at, ct::select(x, ct::full<tile<int, 4>>(1), ct::zeros<tile<int, 4>>()));
  out[4] = int(zero || -zero) + 2 * ct::select(zero, 0, 1) + 4 * !zero;
}

// [tile:broadcastable_to] Aligned to the right, where a dimension is equal or 1.
template <class T, size_t... D> constexpr bool to = ct::broadcastable_to<T, ct::shape<D...>>;
static_assert(to<tile<int, 4, 1>, 4, 8> && to<tile<int, 2>, 4, 2> && to<double, 4, 8>);
static_assert(to<tile<float, 2>, 8, 2> && to<tile<float, 2, 1, 8>, 2, 16, 8>);
static_assert(!to<tile<int, 4, 2>, 4> && !to<tile<int, 4>, 4, 2> && !to<tile<int, 1>, 5>);
// [tile:broadcast_conversion] Copies along dimensions of length 1, and new ones on the left.
__tile_global__ void broadcasts(int *out) {
  auto at = ct::iota<tile<int, 4, 8>>();
  auto column = ct::reshape(ct::iota<tile<int, 4>>(), ct::shape<4, 1>{}) + 1;
  ct::store(out + at, ct::broadcast(column, ct::shape<4, 8>{}));
  auto row = ct::iota<tile<int, 2>>() + 1;
  ct::store(out + 32 + ct::iota<tile<int, 4, 2>>(), ct::broadcast<ct::shape<4, 2>>(row));
  static_assert(std::is_same_v<decltype(ct::broadcast(1, ct::shape<>{})), tile<int>>);
}
// [tile:shape_mutual_broadcast_compatible] [tile:mutual_broadcast_shape]
// [tile:tile_mutual_broadcast_compatible] Either may have the 1; the result is a tile's shape.
template <class T, class U>
concept mutual = requires(T t, U u) { t && u; };
template <class T, class U> using shape = ct::tile_shape_t<ct::mutual_broadcast_t<T, U, int>>;
static_assert(std::is_same_v<shape<tile<int, 4, 1>, tile<int, 4, 8>>, ct::shape<4, 8>>);
static_assert(std::is_same_v<shape<tile<int, 1, 4>, tile<int, 2, 1>>, ct::shape<2, 4>>);
static_assert(std::is_same_v<shape<tile<int, 4, 2, 1>, tile<int, 2, 8>>, ct::shape<4, 2, 8>>);
static_assert(std::is_same_v<shape<tile<int, 4>, tile<int, 1, 2, 1>>, ct::shape<1, 2, 4>>);
static_assert(mutual<tile<int, 2, 1, 8>, tile<int, 1, 4, 1>> && mutual<tile<float, 4, 8>, double>);
static_assert(mutual<tile<int, 2, 1, 8>, tile<float, 4, 8>> && mutual<tile<int, 1, 4, 1>, double>);
static_assert(!mutual<tile<int, 4, 2>, tile<int, 8, 2>>);
static_assert(!mutual<tile<char, 1u << 13, 1>, tile<char, 1, 1u << 12>>); // too large a tile
// [tile:mutual_broadcast_conversion] Scalars stay scalars, with a tile they become one.
static_assert(std::is_same_v<ct::mutual_broadcast_t<int, float, bool>, bool>);
static_assert(std::is_same_v<ct::mutual_broadcast_t<int, tile<float>, bool>, tile<bool>>);
__tile_global__ void both(int *out) {
  auto a = ct::reshape(ct::iota<tile<int, 4>>() + 1, ct::shape<1, 4>{});
  auto b = ct::reshape(ct::iota<tile<int, 2>>() + 5, ct::shape<2, 1>{});
  ct::store(out + ct::iota<tile<int, 2, 4>>(), 10 * a + b);
}

// [tile:arithmetic_common_type] As in C++, and without promotion.
template <class T, class U> using common = ct::arithmetic_tile_comparison_t<tile<T, 8>, tile<U, 8>>;
template <class T, class U, class C> constexpr bool is_common =
    std::is_same_v<common<T, U>, tile<C, 8>>;
template <class T, class U> constexpr bool compares =
    ct::arithmetic_tile_comparable<tile<T, 8>, tile<U, 8>>;
static_assert(is_common<int, double, double> && is_common<half, float, float>);
static_assert(!compares<half, bfloat> && is_common<short, short, short>);
static_assert(is_common<char16_t, unsigned short, unsigned short>);
static_assert(is_common<unsigned, long long, long long> && is_common<unsigned char, short, short>);
static_assert(is_common<signed char, long, long> && is_common<int, half, half>);
static_assert(is_common<char, signed char, signed char> && is_common<wchar_t, int, int>);
static_assert(is_common<char8_t, unsigned char, unsigned char> &&
              is_common<long, long long, long long>);
static_assert(is_common<char32_t, unsigned, unsigned> &&
              is_common<bool, unsigned char, unsigned char>);

// [tile:arithmetic_tile_conversion] [tile:arithmetic_comparison_conversion] A tile decides over a
// scalar in arithmetic, not in comparisons; what narrows is ill-formed, but integral to floating.
template <class T, class U>
concept mixes = requires(T t, U u) { t + u; } && ct::arithmetic_tile_convertible<T, U>;
template <class T, class U>
concept equals = requires(T t, U u) { t == u; } && ct::arithmetic_tile_comparable<T, U>;
template <class T, class U> using sum = ct::arithmetic_tile_conversion_t<T, U>;
template <class T, class U> using comparison = ct::arithmetic_tile_comparison_t<T, U>;
static_assert(!mixes<double, tile<int, 8>> && equals<double, tile<int, 8>>);
static_assert(std::is_same_v<comparison<double, tile<int, 8>>, tile<double, 8>>);
static_assert(std::is_same_v<sum<tile<int, 4, 1>, tile<float, 1, 8>>, tile<float, 4, 8>>);
static_assert(std::is_same_v<comparison<tile<int, 4, 1>, tile<float, 1, 8>>, tile<float, 4, 8>>);
static_assert(!mixes<float, tile<int, 4, 8>>);
static_assert(std::is_same_v<comparison<float, tile<int, 4, 8>>, tile<float, 4, 8>>);
static_assert(!mixes<bfloat, tile<half, 4, 8>> && !equals<bfloat, tile<half, 4, 8>>);
static_assert(!mixes<unsigned, tile<int, 4, 8>> && !equals<unsigned, tile<int, 4, 8>>);
static_assert(!mixes<tile<int, 4, 2>, tile<int, 8, 2>> && !mixes<tile<e4m3, 8>, tile<e4m3, 8>>);
__tile_global__ void operands(float *xs, double *ys, double *out, int *equal) {
  tile<float, 1, 2> x = ct::load(xs + ct::iota<tile<int, 1, 2>>());
  tile<double, 2, 1> y = ct::load(ys + ct::iota<tile<int, 2, 1>>());
  tile<double, 2, 2> result = x - y;
  ct::store(out + ct::iota<tile<int, 2, 2>>(), result);
  auto at = ct::iota<tile<int, 8>>();
  ct::store(equal + at, ct::element_cast<int>(2.0 == at) + 2 * ct::element_cast<int>(2.5 > at));
}

// [tile:arithmetic_tile_promotion] The integral promotions, by unary plus; the kind stays.
static_assert(std::is_same_v<ct::arithmetic_tile_promotion_t<tile<short, 8>>, tile<int, 8>>);
static_assert(std::is_same_v<ct::arithmetic_tile_promotion_t<char16_t>, int>);
static_assert(std::is_same_v<ct::arithmetic_tile_promotion_t<tile<half, 8>>, tile<half, 8>>);
__tile_global__ void promotes(signed char *in, int *out) {
  auto at = ct::iota<tile<int, 8>>();
  auto x = ct::load(in + at);
  ct::store(out + at, +x * 100 + ct::element_cast<int>(x * x));
}

template <class T> double through(float x) { return double(float(T(x))); }
// Numbers of tf32 are converted explicitly, from and to every other kind.
__tile_global__ void of_tf32(int *o, float f, int n, __half h, __nv_bfloat16 b) {
  __nv_tf32 x(f), y(n), z = static_cast<__nv_tf32>(h), w{b};
  o[0] = int(double(x) * 1024);
  o[1] = int(y);
  o[2] = static_cast<unsigned char>(z);
  o[3] = bool(w) + static_cast<long long>(w);
  o[4] = int(float(static_cast<__half>(x)) * 1024);
  o[5] = int(float(__nv_bfloat16(x)) * 1024);
  o[6] = y ? int(__nv_tf32(true)) : 7;
}

int main() {
  run::array<int> tf32s(7);
  of_tf32<<<1, 1>>>(tf32s, 3.3f, -77, __half(5.5f), __nv_bfloat16(2.f));
  run::expect("tf32", tf32s, [](int i) {
    const int wanted[] = {3380, -77, 5, 3, 3380, 3376, 1};
    return wanted[i];
  });
  const float values[] = {2049, 2051, 1e6f,    -1e6f, 0.1f,   -65519.f, 65520.f, 6e-8f, //
                          257,  259,  3.4e38f, -0.1f, 1e-40f, 511,      513,     1,     //
                          17,   19,   0.1f,    -21,   0.001f, 100,      300,     3,     //
                          9,    11,   0.1f,    -5,    1e-4f,  1000,     3e4f,    3};
  run::array<float> in(32, [&](int i) { return values[i]; }), out(32);
  elements<<<1, 1>>>(in, out);
  run::expect(
      "elements", out,
      [&](int i) {
        const float x = values[i];
        return i < 8    ? through<half>(x)
               : i < 16 ? through<bfloat>(x)
               : i < 24 ? through<e4m3>(x)
                        : through<e5m2>(x);
      },
      0);
  const long long wide[] = {2049, 2051, 65519, -65520, 1ll << 40, -(1ll << 62), 16777217, 16777219};
  run::array<long long> numbers(8, [&](int i) { return wide[i]; });
  run::array<float> rounded(24);
  integers<<<1, 1>>>(numbers, rounded);
  run::expect(
      "integers", rounded,
      [](int i) {
        const double wanted[] = {2048,     2052,     65504,    -INFINITY, INFINITY, -INFINITY,
                                 INFINITY, INFINITY, 2048,     2048,      65536,    -65536,
                                 0x1p40,   -0x1p62,  16777216, 16777216,  2049,     2051,
                                 65519,    -65520,   0x1p40,   -0x1p62,   16777216, 16777220};
        return wanted[i];
      },
      0);
  run::array<int> bools(5), copies(40), pairs(8);
  truths<<<1, 1>>>(bools, 0);
  run::expect("truths", bools, [](int i) { return i == 4 ? 6 : i != 0; });
  broadcasts<<<1, 1>>>(copies);
  run::expect("broadcasts", copies, [](int i) { return i < 32 ? i / 8 + 1 : i % 2 + 1; });
  both<<<1, 1>>>(pairs);
  run::expect("both", pairs, [](int i) { return 10 * (i % 4 + 1) + i / 4 + 5; });
  run::array<float> xs(2, [](int i) { return i ? 6 : 2; });
  run::array<double> ys(2, [](int i) { return i ? 1 : 4; }), differences(4);
  run::array<int> equal(8);
  operands<<<1, 1>>>(xs, ys, differences, equal);
  run::expect("operands", differences, [](int i) { return (i % 2 ? 6 : 2) - (i / 2 ? 1 : 4); });
  run::expect("comparisons", equal, [](int i) { return (i == 2) + 2 * (i < 3); });
  run::array<signed char> narrow(8, [](int i) { return 10 * i; });
  run::array<int> promoted(8);
  promotes<<<1, 1>>>(narrow, promoted);
  run::expect("promotes", promoted, [](int i) { return 1000 * i + (signed char)(100 * i * i); });
  return run::finish();
}
