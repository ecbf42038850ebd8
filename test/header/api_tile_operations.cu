// Every form of the tile and math operations. [tile:tile_operations] [tile:math_operations]
// RUN: %clang_tile -fsyntax-only %s
#include "tiles.h"

// full, zeros, ones, iota
template <class T, class X>
concept can_full = requires(X x) { ct::full<T>(x); };
static_assert(can_full<I4, double> && can_full<H4, float> && can_full<P4, int *> &&
              can_full<int, int>);
static_assert(can_full<P4, decltype(nullptr)> && !can_full<T4, float> && !can_full<I4, I4>);
template <class T>
concept can_zeros = requires { ct::zeros<T>(); };
template <class T>
concept can_ones = requires { ct::ones<T>(); };
template <class T>
concept can_iota = requires { ct::iota<T>(); };
static_assert(can_zeros<E4> && can_zeros<float> && can_zeros<const I4> && !can_zeros<P4>);
static_assert(can_ones<T4> && can_ones<bool> && !can_ones<P4>);
static_assert(can_iota<I4> && can_iota<int> && can_iota<tile<bool, 2>> && !can_iota<B4>);
static_assert(!can_iota<F4> && can_iota<tile<unsigned char, 256>>);
static_assert(!can_iota<tile<signed char, 256>> && can_iota<tile<int, 2, 4, 2>>);

// isinf, isnan
template <class T>
concept can_isnan = requires(T x) { ct::isnan(x); };
template <class T>
concept can_isinf = requires(T x) { ct::isinf(x); };
static_assert(can_isnan<F4> && can_isnan<double> && can_isnan<E4> && can_isnan<T4>);
static_assert(can_isinf<H4> && can_isinf<E4> && !can_isinf<I4> && !can_isnan<int>);

// Math: one argument, any basic floating-point type.
#define UNARY(NAME)                                                                                \
  template <class T, class... M>                                                                   \
  concept can_##NAME = requires(T x, M... m) { ct::NAME(x, m...); };                               \
  static_assert(can_##NAME<F4> && can_##NAME<D4> && can_##NAME<H4> && can_##NAME<float>);          \
  static_assert(can_##NAME<tile<__nv_bfloat16, 4>> && can_##NAME<double> && can_##NAME<__half>);   \
  static_assert(!can_##NAME<I4> && !can_##NAME<int> && !can_##NAME<T4> && !can_##NAME<E4>);        \
  __tile__ void NAME##_type(F4 x, double y) {                                                      \
    static_assert(same<decltype(ct::NAME(x)), F4> && same<decltype(ct::NAME(y)), double>);         \
    static_assert(noexcept(ct::NAME(x)));                                                          \
  }
#define PLAIN(NAME)                                                                                \
  UNARY(NAME)                                                                                      \
  static_assert(!can_##NAME<F4, Even> && !can_##NAME<F4, Flush> && !can_##NAME<F4, Fast>);
PLAIN(ceil)
PLAIN(floor)
PLAIN(log)
PLAIN(log2)
PLAIN(sin)
PLAIN(cos)
PLAIN(tan)
PLAIN(sinh)
PLAIN(cosh)
UNARY(exp)
UNARY(tanh)
static_assert(can_exp<F4, Full> && can_exp<F4, Fast> && can_exp<D4, Full> && !can_exp<D4, Fast>);
static_assert(!can_exp<F4, Even> && !can_exp<F4, Flush> && !can_exp<H4, Fast> && can_exp<H4, Full>);
static_assert(can_tanh<F4, Fast> && can_tanh<D4, Full> && !can_tanh<D4, Fast> && !can_tanh<F4, RZ>);
static_assert(!can_exp<F4, Full, Flush> && !can_tanh<F4, Fast, Flush>);
UNARY(exp2)
UNARY(rsqrt)
static_assert(can_exp2<F4, Flush> && can_exp2<D4, Keep> && !can_exp2<D4, Flush> &&
              !can_exp2<F4, Fast>);
static_assert(can_rsqrt<F4, Flush> && !can_rsqrt<H4, Flush> && !can_rsqrt<F4, Even>);
UNARY(sqrt)
static_assert(can_sqrt<F4, Even> && can_sqrt<D4, Down> && can_sqrt<H4, Up> &&
              can_sqrt<F4, RZ, Flush>);
static_assert(can_sqrt<F4, Fast> && can_sqrt<F4, Fast, Flush> && !can_sqrt<D4, Fast>);
static_assert(!can_sqrt<F4, Full> && !can_sqrt<F4, Flush> && !can_sqrt<D4, RZ, Flush>);
template <class B, class E>
concept can_pow = requires(B b, E e) { ct::pow(b, e); };
template <class Y, class X>
concept can_atan2 = requires(Y y, X x) { ct::atan2(y, x); };
static_assert(can_pow<F4, F4> && can_pow<F4, int> && can_pow<float, int> && can_pow<F4, I4>);
static_assert(!can_pow<int, F4> && !can_pow<F4, double> && !can_pow<int, int>);
static_assert(can_atan2<F4, F4> && can_atan2<F4, int> && can_atan2<int, F4> &&
              !can_atan2<int, int>);
static_assert(!can_atan2<F4, double> && can_atan2<double, double>);

// Shapes.
template <class T, class S>
concept can_reshape = requires(T x, S s) { ct::reshape(x, s); };
static_assert(can_reshape<F4, ct::shape<2, 2>> && can_reshape<int, ct::shape<1, 1>>);
static_assert(can_reshape<tile<int, 1>, ct::shape<>> && !can_reshape<F4, ct::shape<2>>);
template <class T, class S>
concept can_broadcast = requires(T x, S s) { ct::broadcast(x, s); };
static_assert(can_broadcast<F4, ct::shape<2, 4>> && can_broadcast<P4, ct::shape<2, 4>>);
static_assert(can_broadcast<float, ct::shape<2>> && !can_broadcast<F4, ct::shape<4, 2>>);
template <class T>
concept can_transpose = requires(T x) { ct::transpose(x); };
static_assert(can_transpose<tile<int, 2, 4>> && can_transpose<I4> && can_transpose<int>);
template <class T, class M>
concept can_permute = requires(T x, M m) { ct::permute(x, m); };
static_assert(can_permute<tile<int, 2, 4>, ct::dimension_map<1, 0>>);
static_assert(!can_permute<tile<int, 2, 4>, ct::dimension_map<0>>);
template <class A, class B, int D>
concept can_cat = requires(A a, B b) { ct::cat<D>(a, b); };
static_assert(can_cat<I4, I4, 0> && can_cat<P4, P4, 0> && !can_cat<I4, F4, 0>);
static_assert(!can_cat<I4, I4, 1> && !can_cat<I4, tile<int, 2>, 0> && !can_cat<int, int, 0>);
template <class T, class S, class... I>
concept can_extract = requires(T x, S s, I... i) { ct::extract(x, s, i...); };
static_assert(can_extract<I4, ct::shape<2>, int> && can_extract<I4, ct::shape<1>, float>);
static_assert(!can_extract<I4, ct::shape<2>> && !can_extract<I4, ct::shape<8>, int>);
static_assert(can_extract<I4, ct::shape<2>, ct::integral_constant<0>>);
static_assert(!can_extract<I4, ct::shape<2>, tile<int>> &&
              !can_extract<I4, ct::shape<1, 2>, int, int>);
template <class T, class P, class... I>
concept can_insert = requires(T x, P p, I... i) { ct::insert(x, p, i...); };
static_assert(can_insert<I4, tile<int, 2>, int> && can_insert<I4, tile<short, 2>, unsigned>);
static_assert(!can_insert<I4, tile<long long, 2>, int> && !can_insert<I4, tile<int, 8>, int>);
static_assert(!can_insert<I4, tile<int, 2>>);

// select and conversions
template <class C, class A, class B>
concept can_select = requires(C c, A a, B b) { ct::select(c, a, b); };
static_assert(can_select<B4, F4, F4> && can_select<bool, F4, F4> && can_select<I4, P4, P4>);
static_assert(can_select<bool, int, int> && !can_select<B4, float, float> &&
              !can_select<B4, F4, D4>);
static_assert(!can_select<tile<bool, 2, 4>, F4, F4> && !can_select<B4, F4, float>);
template <class E, class T, class... M>
concept can_cast = requires(T x, M... m) { ct::element_cast<E>(x, m...); };
static_assert(can_cast<__nv_fp8_e4m3, F4> && can_cast<int, float> && can_cast<bool, T4>);
static_assert(can_cast<const int *, P4> && can_cast<void *, P4> && !can_cast<float *, P4>);
static_assert(can_cast<__half, F4, RZ> && can_cast<__nv_tf32, F4, RZ> && can_cast<float, D4, Up>);
static_assert(!can_cast<__half, F4, Up> && !can_cast<__nv_fp8_e4m3, F4, RZ> &&
              !can_cast<int, F4, RZ>);
static_assert(can_cast<__nv_fp8_e4m3, F4, Even> && !can_cast<float, D4, Fast>);
template <class E, class T>
concept can_bitcast = requires(T x) { ct::element_bitcast<E>(x); };
static_assert(can_bitcast<unsigned, F4> && can_bitcast<float, int> && can_bitcast<long long, P4>);
static_assert(can_bitcast<float *, P4> && can_bitcast<unsigned char, E4> &&
              can_bitcast<bool, tile<unsigned char, 4>>);
static_assert(!can_bitcast<short, F4> && !can_bitcast<unsigned, T4>);

__tile_global__ void k(float *p) {
  auto x = ct::full<tile<float, 2, 4, 8>>(1);
  static_assert(same<decltype(ct::full<float>(3)), float> && same<decltype(ct::iota<int>()), int>);
  static_assert(same<decltype(ct::isnan(x)), tile<bool, 2, 4, 8>> &&
                same<decltype(ct::isinf(1.f)), bool>);
  static_assert(same<decltype(ct::reshape<ct::shape<8, 8>>(x)), tile<float, 8, 8>>);
  static_assert(same<decltype(ct::reshape(x, ct::shape{64_ic})), tile<float, 64>>);
  static_assert(same<decltype(ct::broadcast<ct::shape<2, 4>>(1)), tile<int, 2, 4>>);
  static_assert(same<decltype(ct::transpose(x)), tile<float, 4, 2, 8>>);
  static_assert(same<decltype(ct::permute(x, ct::dimension_map<2, 0, 1>{})), tile<float, 8, 2, 4>>);
  static_assert(same<decltype(ct::permute<ct::dimension_map<2, 0, 1>>(x)), tile<float, 8, 2, 4>>);
  static_assert(same<decltype(ct::cat<1>(x, x)), tile<float, 2, 8, 8>>);
  static_assert(same<decltype(ct::cat(x, x, 2_ic)), tile<float, 2, 4, 16>>);
  static_assert(
      same<decltype(ct::extract(x, ct::shape<1, 2, 8>{}, 0, 1u, 0ull)), tile<float, 1, 2, 8>>);
  static_assert(
      same<decltype(ct::insert(x, ct::full<tile<float, 1, 2, 8>>(2), 0, 1, 0)), decltype(x)>);
  static_assert(same<decltype(ct::select(true, 1, 2)), int> &&
                same<decltype(ct::select(B4(), F4(), F4())), F4>);
  static_assert(same<decltype(ct::element_cast<int>(1.5f)), int> &&
                same<decltype(ct::element_cast<int>(F4())), I4>);
  static_assert(same<decltype(ct::element_bitcast<int>(1.5f)), int>);
  static_assert(same<decltype(ct::pow(F4(), 2)), F4> && same<decltype(ct::atan2(1, 2.f)), float>);
  (void)ct::exp<ct::rounding_mode::round_full>(F4(), {});
  (void)ct::exp2<ct::subnormals_rounding_mode::round_subnormals_to_zero>(F4(), {});
  (void)ct::sqrt<ct::rounding_mode::round_toward_zero>(F4(), {});
}
int main() {}
