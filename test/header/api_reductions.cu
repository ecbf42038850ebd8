// Every form of reductions, scans and matrix multiplies. [tile:reductions_and_scans]
// [tile:matrix_multiplication]
// RUN: %clang_tile -fsyntax-only %s
#include "modes.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>

using I = tile<int, 4, 8>;
using F = tile<float, 4, 8>;
using D = tile<double, 4, 8>;
using H = tile<__half, 4, 8>;
using B = tile<bool, 4, 8>;
using T = tile<__nv_tf32, 4, 8>;
using P = tile<int *, 4, 8>;
using Zero = ct::integral_constant<0>;
using One = ct::integral_constant<1>;
using Two = ct::integral_constant<2>;
using Forward = ct::scan_forward_t;
using Backward = ct::scan_backward_t;

#define REDUCTION(NAME)                                                                            \
  template <class X, class... M>                                                                   \
  concept can_##NAME = requires(X x, M... m) { ct::NAME(x, m...); };                               \
  template <class X, int N>                                                                        \
  concept can_##NAME##_by = requires(X x) { ct::NAME<N>(x); };                                     \
  static_assert(can_##NAME<I, Zero> && can_##NAME<I, One> && can_##NAME##_by<I, 1>);               \
  static_assert(!can_##NAME<I, Two> && !can_##NAME##_by<I, 2> && !can_##NAME##_by<I, -1>);         \
  static_assert(!can_##NAME<I, int> && !can_##NAME<I> && !can_##NAME<int, Zero>);                  \
  static_assert(!can_##NAME<tile<int>, Zero> && can_##NAME<B, Zero>);
#define NUMERIC(NAME)                                                                              \
  REDUCTION(NAME)                                                                                  \
  static_assert(can_##NAME<F, Zero> && can_##NAME<D, Zero> && can_##NAME<H, One>);                 \
  static_assert(!can_##NAME<T, Zero> && !can_##NAME<P, Zero>);
#define INTEGRAL(NAME)                                                                             \
  REDUCTION(NAME)                                                                                  \
  static_assert(!can_##NAME<F, Zero> && !can_##NAME<P, Zero> && can_##NAME<tile<char, 4>, Zero>);

NUMERIC(sum)
NUMERIC(prod)
static_assert(can_sum<F, One, RZ> && can_sum<D, One, Up, Keep> && can_sum<F, One, RZ, Flush>);
static_assert(can_prod<H, One, Up> && !can_prod<D, One, RZ, Flush> && !can_prod<I, One, RZ>);
static_assert(!can_sum<F, One, Fast> && !can_sum<F, One, Flush>);
NUMERIC(reduce_max)
NUMERIC(reduce_min)
static_assert(can_reduce_max<F, One, Nan> && can_reduce_max<F, One, NoNan, Flush>);
static_assert(can_reduce_min<D, One, Nan, Keep> && !can_reduce_min<D, One, Nan, Flush>);
static_assert(!can_reduce_min<I, One, Nan> && !can_reduce_max<F, One, RZ>);
INTEGRAL(reduce_bitand)
INTEGRAL(reduce_bitor)
INTEGRAL(reduce_bitxor)
REDUCTION(all_of)
REDUCTION(any_of)
static_assert(can_all_of<F, Zero> && can_any_of<P, Zero> && can_any_of<T, One>);
NUMERIC(max_element)
NUMERIC(min_element)
static_assert(!can_max_element<F, One, Nan>);

#define SCAN(NAME)                                                                                 \
  NUMERIC(NAME)                                                                                    \
  static_assert(can_##NAME<I, One, Forward> && can_##NAME<F, One, Backward>);                      \
  static_assert(can_##NAME<F, One, RZ> && can_##NAME<F, One, RZ, Flush>);                          \
  static_assert(can_##NAME<F, One, RZ, Flush, Backward> && can_##NAME<D, One, Up, Keep, Forward>); \
  static_assert(!can_##NAME<F, One, RZ, Backward> && !can_##NAME<I, One, RZ>);                     \
  static_assert(!can_##NAME<D, One, RZ, Flush> && !can_##NAME<F, One, Fast>);
SCAN(partial_sum)
SCAN(partial_prod)

// Matrix multiplies.
template <class E, size_t M = 16, size_t N = 16> using m = tile<E, M, N>;
template <class A, class X, class C>
concept can_mma = requires(A a, X b, C c) { ct::mma(a, b, c); };
template <class A, class X>
concept can_matmul = requires(A a, X b) { ct::matmul(a, b); };
template <class E, class... C> constexpr bool accumulates_in = (can_mma<m<E>, m<E>, m<C>> && ...);
template <class E, class... C> constexpr bool accumulates_in_no =
    (!can_mma<m<E>, m<E>, m<C>> && ...);
using h = __half;
using b = __nv_bfloat16;
using t = __nv_tf32;
using e4 = __nv_fp8_e4m3;
using e5 = __nv_fp8_e5m2;
static_assert(accumulates_in<h, h, float> && accumulates_in_no<h, b, double, int>);
static_assert(accumulates_in<b, float> && accumulates_in_no<b, b, h, double>);
static_assert(accumulates_in<t, float> && accumulates_in_no<t, t, double>);
static_assert(accumulates_in<float, float> && accumulates_in_no<float, double, h>);
static_assert(accumulates_in<double, double> && accumulates_in_no<double, float>);
static_assert(accumulates_in<e4, h, float> && accumulates_in<e5, h, float> &&
              accumulates_in_no<e4, b>);
static_assert(accumulates_in<char, int> && accumulates_in<bool, int> &&
              accumulates_in<char8_t, int>);
static_assert(accumulates_in_no<signed char, unsigned, float, long long>);
static_assert(accumulates_in_no<short, int> && accumulates_in_no<int, int>);
static_assert(can_mma<m<unsigned char>, m<signed char>, m<int>> &&
              can_mma<m<bool>, m<char>, m<int>>);
static_assert(!can_mma<m<e4>, m<e5>, m<float>> && !can_mma<m<h>, m<b>, m<float>>);
static_assert(accumulates_in_no<__nv_fp4_e2m1, float> && accumulates_in_no<__nv_fp8_e8m0, float>);
static_assert(can_mma<m<h, 4, 8>, m<h, 8, 2>, m<float, 4, 2>>);
static_assert(!can_mma<m<h, 4, 8>, m<h, 4, 2>, m<float, 4, 2>>);
static_assert(can_mma<tile<h, 2, 4, 8>, tile<h, 1, 8, 2>, tile<float, 2, 4, 2>>);
static_assert(!can_mma<tile<h, 2, 4, 8>, tile<h, 2, 8, 2>, tile<float, 1, 4, 2>>);
static_assert(!can_mma<tile<h, 2, 4, 8>, m<h, 8, 2>, tile<float, 2, 4, 2>>);
static_assert(!can_mma<h, h, h> && !can_mma<tile<h, 8>, tile<h, 8>, tile<h, 8>>);
static_assert(can_matmul<m<h>, m<h>> && can_matmul<m<bool>, m<bool>> && !can_matmul<m<h>, m<b>>);
static_assert(!can_matmul<m<__nv_fp4_e2m1>, m<__nv_fp4_e2m1>>);

__tile_global__ void k(float *p) {
  F x;
  I n;
  static_assert(same<decltype(ct::sum<1>(x)), tile<float, 4, 1>> && noexcept(ct::sum<1>(x)));
  static_assert(same<decltype(ct::sum(x, 0_ic)), tile<float, 1, 8>>);
  static_assert(same<decltype(ct::all_of(x, 0_ic)), tile<bool, 1, 8>>);
  static_assert(same<decltype(ct::max_element<1>(x)), tile<unsigned, 4, 1>>);
  static_assert(same<decltype(ct::sum<0>(tile<signed char, 4>())), tile<signed char, 1>>);
  static_assert(same<decltype(ct::partial_sum<1>(n)), I>);
  (void)ct::sum<0, ct::rounding_mode::round_toward_zero>(x, {}, {});
  (void)ct::partial_sum<1, ct::scan_direction::backward>(x);
  static_assert(same<decltype(ct::matmul(m<h>(), m<h>())), m<h>>);
  static_assert(same<decltype(ct::matmul(m<b>(), m<b>())), m<float>>);
  static_assert(same<decltype(ct::matmul(m<t>(), m<t>())), m<float>>);
  static_assert(same<decltype(ct::matmul(m<e4>(), m<e4>())), m<h>>);
  static_assert(same<decltype(ct::matmul(m<double>(), m<double>())), m<double>>);
  static_assert(same<decltype(ct::matmul(m<char>(), m<unsigned char>())), m<int>>);
  static_assert(
      same<decltype(ct::matmul(tile<h, 2, 4, 8>(), tile<h, 1, 8, 2>())), tile<h, 2, 4, 2>>);
  static_assert(same<decltype(ct::mma(m<h>(), m<h>(), m<float>())), m<float>>);
}
int main() {}
