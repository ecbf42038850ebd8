// RUN: %clang_tile -fsyntax-only %s
// Result types of the operators and of the arithmetic functions.
#include "same.h"

using I = tile<int, 8>;
using F = tile<float, 8>;
using H = tile<__half, 8>;
using U = tile<unsigned, 8>;
using B = tile<bool, 8>;
using C = tile<signed char, 8>;
using P = tile<int *, 8>;

__tile__ void operators() {
  static_assert(same<decltype(a<I>() + 1), I> && same<decltype(2.0f - a<F>()), F> &&
                same<decltype(a<F>() * 2), F>);
  static_assert(same<decltype(a<C>() * a<C>()), C> && same<decltype(a<C>() + a<I>()), I> &&
                same<decltype(a<B>() + a<B>()), B>);
  static_assert(same<decltype(a<I>() % 3), I> && same<decltype(a<B>() & true), B> &&
                same<decltype(a<U>() ^ (a<U>() >> 16)), U>);
  static_assert(same<decltype(1u << a<I>()), U> &&
                same<decltype(a<C>() << a<tile<long, 4, 1>>()), tile<signed char, 4, 8>>);
  static_assert(same<decltype(-a<C>()), C> && same<decltype(~a<B>()), B> &&
                same<decltype(+a<C>()), I> && same<decltype(+a<B>()), I>);

  static_assert(same<decltype(a<C>() < 1000), B> && same<decltype(2.0 == a<I>()), B> &&
                same<decltype(1 < a<I>() < 3), B>);
  static_assert(same<decltype(a<F>() && a<P>()), B> && same<decltype(true || a<I>()), B> &&
                same<decltype(!a<F>()), B>);
  static_assert(same<decltype(a<P>() == nullptr), B> && same<decltype(nullptr != a<P>()), B> &&
                same<decltype(a<P>() < a<int *>()), B>);

  static_assert(same<decltype(a<int *>() + a<I>()), P> && same<decltype(a<B>() + a<P>()), P> &&
                same<decltype(a<P>() - 1), P>);
  static_assert(same<decltype(a<P>() - a<int *>()), tile<long, 8>>);
  static_assert(same<decltype(a<P>() + a<tile<long long, 4, 1>>()), tile<int *, 4, 8>>);
}

__tile__ void functions() {
  static_assert(same<decltype(ct::min(3, 4L)), long> && same<decltype(ct::max(a<H>(), 1)), H> &&
                same<decltype(ct::ceildiv(7, 2)), int>);
  static_assert(same<decltype(ct::add(1.0f, a<F>(), ct::round_toward_zero_t{},
                                      ct::round_subnormals_to_zero_t{})),
                     F>);
  static_assert(
      same<decltype(ct::add<ct::rounding_mode::round_toward_zero>(0.0, 1.0, {})), double>);
  static_assert(same<decltype(ct::div(a<F>(), 2, ct::round_full_t{})), F>);
  static_assert(same<decltype(ct::max(a<F>(), a<F>(), ct::propagate_nan_t{},
                                      ct::round_subnormals_to_zero_t{})),
                     F>);
  static_assert(same<decltype(ct::fma(a<H>(), 2.0f, a<F>())), F> &&
                same<decltype(ct::fma(1.0f, 2.0f, a<F>())), F>);
  static_assert(same<decltype(ct::pow(a<F>(), a<I>())), F> &&
                same<decltype(ct::pow(2.0f, 3)), float> && same<decltype(ct::atan2(1, a<F>())), F>);
  static_assert(same<decltype(ct::abs(a<U>())), U> && same<decltype(ct::remainder(a<F>(), 3)), F> &&
                same<decltype(ct::mulhi(a<I>(), a<I>())), I>);
  static_assert(same<decltype(ct::isnan(1.0f)), bool> &&
                same<decltype(ct::isinf(a<tile<__nv_fp8_e5m2, 8>>())), B>);
  static_assert(same<decltype(ct::exp(a<F>(), ct::round_approximate_t{})), F> &&
                same<decltype(ct::sqrt(a<H>())), H>);
}

// Refused combinations.
template <class L, class R>
concept adds = requires(L l, R r) { l + r; };
template <class L, class R>
concept shifts = requires(L l, R r) { l << r; };
template <class L, class R>
concept masks = requires(L l, R r) { l & r; };
template <class L, class R>
concept equals = requires(L l, R r) { l == r; };
template <class T>
concept assigns = requires(T t) { t += t; };
static_assert(!adds<I, unsigned> && !adds<F, double> && !adds<P, P> && !adds<P, F> &&
              !adds<I, decltype(1_ic)> && !adds<tile<void *, 8>, I>);
static_assert(!shifts<F, int> && !shifts<I, float> && !masks<F, F> && !assigns<I>);
static_assert(!equals<I, unsigned> && !equals<H, __nv_bfloat16> && !equals<P, tile<float *, 8>>);

template <class T, class... M>
concept adds_with = requires(T t, M... mode) { ct::add(t, t, mode...); };
static_assert(adds_with<H, ct::round_toward_zero_t> &&
              !adds_with<H, ct::round_toward_zero_t, ct::round_subnormals_to_zero_t>);
static_assert(!adds_with<I, ct::round_toward_zero_t> && !adds_with<F, ct::round_approximate_t> &&
              !adds_with<F, ct::round_subnormals_to_zero_t>);
