// Scalars: their categories, and what arithmetic takes for their values and widths.
// [tile:header_and_namespace] The header stands alone; the API is in cuda::tiles.
#include "cuda_tile.h"

namespace ct = ::cuda::tiles;

__tile_global__ void example(int *a, int *b, int *c) {
  auto idx = ct::bid().x;
  c[idx] = ct::add(a[idx], b[idx]);
}

#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tf32.h>

#include <cstddef>

template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;
template <class... T> constexpr bool integral = (ct::integral_scalar<T> && ...);
template <class... T> constexpr bool basic = (ct::basic_floating_point_scalar<T> && ...);
template <class... T> constexpr bool floating = (ct::floating_point_scalar<T> && ...);
template <class... T> constexpr bool arithmetic = (ct::arithmetic_scalar<T> && ...);
template <class... T> constexpr bool numeric = (ct::numeric_scalar<T> && ...);
template <class... T> constexpr bool pointers = (ct::pointer_scalar<T> && ...);
template <class... T> constexpr bool none = !(ct::scalar<T> || ...);

// [tile:integral_scalars] Integral types of 8, 16, 32 and 64 bits, cv-qualified or not.
static_assert(integral<char, unsigned, long long, char32_t, wchar_t, bool, signed char, char8_t>);
static_assert(
    integral<unsigned short, char16_t, long, const int, volatile bool, const volatile int>);
static_assert(none<__int128, unsigned __int128, std::byte> && !integral<float, int *>);
// [tile:basic_floating_point_scalars]
static_assert(basic<double, float, __half, __nv_bfloat16, const double, volatile __half>);
static_assert(!basic<__nv_tf32> && !basic<__nv_fp8_e4m3> && !basic<int> && !basic<long double>);
// [tile:restricted_floating_point_scalars] Floating-point scalars that are not basic ones.
template <class... T> constexpr bool restricted = (ct::restricted_floating_point_tile<T> && ...) &&
                                                  floating<T...> && !(basic<T> || ...) &&
                                                  !(arithmetic<T> || ...);
static_assert(restricted<__nv_fp8_e4m3, __nv_fp8_e5m2, __nv_tf32, const __nv_tf32>);
static_assert(sizeof(__nv_tf32) == 4 && alignof(__nv_tf32) == 4);
// [tile:pointer_scalars] Pointers to numeric scalars and to void.
struct Foo {};
union Bar {};
static_assert(pointers<int *const, const double *, void *, const volatile __half *, const void *>);
static_assert(pointers<__nv_fp8_e5m2 *, volatile void *const, __nv_tf32 *, bool *volatile>);
static_assert(none<int **, int Foo::*, void (*)(int, double), const Foo *, Bar *, int (*)[2]>);
// [tile:floating_point_scalars] [tile:arithmetic_scalars] [tile:numeric_scalars]
static_assert(floating<float, __nv_tf32> && !floating<int> && !floating<float *>);
static_assert(arithmetic<int, bool, __half> && !arithmetic<__nv_fp8_e4m3> && !arithmetic<int *>);
static_assert(numeric<int, bool, __half, __nv_fp8_e4m3> && !numeric<int *> && !numeric<Foo>);

// Restricted ones are loaded, stored and multiplied as matrices.
__tile_global__ void restrict_to(const __nv_fp8_e4m3 *in, __nv_fp8_e4m3 *copy, float *product) {
  auto at = ct::iota<tile<int, 16, 16>>();
  auto x = ct::load(in + at);
  ct::store(copy + at, x);
  ct::store(product + at, ct::mma(x, x, ct::zeros<tile<float, 16, 16>>()));
}

// [tile:numeric_value] A bool counts as 0 or 1. [tile:bitwidth] One bit for bool, all bits of the
// object for the others. [tile:base_two_representation] Results are taken modulo 2^bitwidth.
template <class T> __tile__ tile<int, 4> wraps(T last) {
  auto x = ct::full<tile<T, 4>>(last), one = ct::full<tile<T, 4>>(T(1));
  auto i = ct::iota<tile<int, 4>>();
  auto sum = ct::element_cast<int>(x + one), product = ct::element_cast<int>(x * x);
  auto inverse = ct::element_cast<int>(~x), negative = ct::element_cast<int>(-x);
  return ct::select(i == 0, sum,
                    ct::select(i == 1, product, ct::select(i == 2, inverse, negative)));
}
__tile_global__ void representation(int *out, bool yes, signed char c, unsigned char u, short s) {
  auto at = out + ct::iota<tile<int, 4>>();
  ct::store(at, wraps(yes));
  ct::store(at + 4, wraps(c));
  ct::store(at + 8, wraps(u));
  ct::store(at + 12, wraps(s));
  ct::store(at + 16, ct::full<tile<int, 4>>(int(ct::add(c, c)) + int(ct::add(yes, yes))));
}

int main() {
  run::array<int> a(4, [](int i) { return i; }), b(4, [](int i) { return 10 * i; }), c(4);
  example<<<4, 1>>>(a, b, c);
  run::expect("example", c, [](int i) { return 11 * i; });
  run::array<__nv_fp8_e4m3> in(256, [](int i) { return float(i % 5 - 2); }), copy(256);
  run::array<float> product(256);
  restrict_to<<<1, 1>>>(in, copy, product);
  run::expect("copy", copy, [](int i) { return i % 5 - 2; });
  run::expect("product", product, [](int i) {
    int sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += ((i / 16 * 16 + k) % 5 - 2) * ((k * 16 + i % 16) % 5 - 2);
    return sum;
  });
  run::array<int> out(20);
  representation<<<1, 1>>>(out, true, 127, 255, 32767);
  run::expect("representation", out, [](int i) {
    const int wanted[] = {0, 1, 0, 1, -128, 1, -128, -127, 0, 1, 0, 1, -32768, 1, -32768, -32767};
    return i < 16 ? wanted[i] : -2;
  });
  return run::finish();
}
