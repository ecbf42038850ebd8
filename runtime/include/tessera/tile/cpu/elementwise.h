// Element by element: unary, binary, fma, compare, classify, select, cast and bitcast.
//
// Each is one loop over all lanes; arithmetic.h has the operations. Operands are lanes, or
// `uniform` where a scalar was repeated. Directed rounding uses directed.h in blocks.
#pragma once

#include "arithmetic.h"
#include "check.h"
#include "directed.h"

#include <cstring>

namespace cuda::tiles::__prim {
namespace cpu {

template <class T> inline constexpr unsigned long long count = T::shape_type::static_size();
template <class T> using element_of = typename T::element_type;
template <class T> using tile_value = value_of<element_of<T>>;

// Directed rounding applies to floating point; everything else ignores the mode.
template <rounding_mode M, class R> inline constexpr bool rounds_directed =
    is_directed(M) && ::std::is_floating_point_v<tile_value<R>>;

inline constexpr unsigned long long block = 512;

// Calls f(first, n) for consecutive blocks of at most `block` elements.
template <unsigned long long N, class F> void for_blocks(F f) {
  for (unsigned long long i = 0; i < N; i += block)
    f(i, N - i < block ? N - i : block);
}

template <class T, subnormals_rounding_mode Sub, class X>
void read_block(const X &x, unsigned long long first, unsigned long long n, tile_value<T> *to) {
#pragma omp simd
  for (unsigned long long i = 0; i < n; i++)
    to[i] = flush<Sub>(element<element_of<T>>::read(x.v[first + i]));
}
template <class T, rounding_mode M, subnormals_rounding_mode Sub>
void write_block(const tile_value<T> *from, unsigned long long first, unsigned long long n,
                 lanes<T> &r) {
#pragma omp simd
  for (unsigned long long i = 0; i < n; i++)
    r.v[first + i] = write_rounded<M, element_of<T>>(flush<Sub>(from[i]));
}

template <subnormals_rounding_mode Sub, class V> inline constexpr bool is_flushed =
    Sub == subnormals_rounding_mode::round_subnormals_to_zero && ::std::is_same_v<V, float>;

// x op y in mode M, for n numbers, subnormals flushed; `to` may be x or y.
template <binary_op Op, rounding_mode M, subnormals_rounding_mode Sub, class V>
void directed_flushed(const V *x, const V *y, V *to, unsigned long long n) {
  V inward[block];
  if constexpr (is_flushed<Sub, V>)
    directed_binary<Op>(processor_mode(rounding_mode::round_toward_zero), x, y, inward, n);
  directed_binary<Op>(processor_mode(M), x, y, to, n);
  if constexpr (is_flushed<Sub, V>)
    for (unsigned long long i = 0; i < n; i++)
      to[i] = flush<Sub>(to[i], inward[i]);
}

// x op y to nearest, subnormals flushed.
template <binary_op Op, subnormals_rounding_mode Sub, class V> V nearest_flushed(V x, V y) {
  const V result = apply<Op>(x, y);
  if constexpr (is_flushed<Sub, V> && Op == binary_op::mul)
    return flush<Sub>(result, double(x) * double(y));
  else if constexpr (is_flushed<Sub, V> && Op == binary_op::div)
    return flush<Sub>(result, double(x) / double(y));
  else
    return flush<Sub>(result);
}

template <binary_op Op, rounding_mode M, subnormals_rounding_mode Sub, class R, class X, class Y>
lanes<R> directed(const X &x, const Y &y) {
  lanes<R> r;
  for_blocks<count<R>>([&](unsigned long long i, unsigned long long n) {
    tile_value<R> a[block], b[block];
    read_block<R, Sub>(x, i, n, a);
    read_block<R, Sub>(y, i, n, b);
    directed_flushed<Op, M, Sub>(a, b, a, n);
    write_block<R, M, Sub>(a, i, n, r);
  });
  return r;
}

// An exact product plus a third number, all of them narrow: rounded to odd in double, so that the
// last rounding is the only one.
inline double fma_to_odd(float x, float y, float z) {
  const double product = double(x) * double(y), sum = product + double(z);
  const double part = sum - product, lost = (product - (sum - part)) + (double(z) - part);
  const unsigned long long bits = bits_of(sum), even = ~bits & 1;
  const bool inward = (lost < 0) == (sum > 0);
  return lost == 0 || lost != lost ? sum : double_of(inward ? bits - even : bits + even);
}

template <class E, rounding_mode M>
typename element<E>::lane fused(value_of<E> x, value_of<E> y, value_of<E> z) {
  if constexpr (is_narrow_float<E>) {
    const double sum = fma_to_odd(x, y, z);
    // Exact cancellation is -0 when rounding down; double has rounded to nearest.
    const bool minus = M == rounding_mode::round_toward_negative && sum == 0 &&
                       (::std::signbit(x) != ::std::signbit(y) || ::std::signbit(z));
    return write_rounded<M, E>(minus ? -0.0 : sum);
  } else if constexpr (sizeof(x) == 4) {
    return __builtin_fmaf(x, y, z);
  } else {
    return __builtin_fma(x, y, z);
  }
}

template <rounding_mode M, subnormals_rounding_mode Sub, class R, class X, class Y, class Z>
lanes<R> directed_fused(const X &x, const Y &y, const Z &z) {
  lanes<R> r;
  for_blocks<count<R>>([&](unsigned long long i, unsigned long long n) {
    using V = tile_value<R>;
    V a[block], b[block], c[block], inward[block];
    read_block<R, Sub>(x, i, n, a);
    read_block<R, Sub>(y, i, n, b);
    read_block<R, Sub>(z, i, n, c);
    if constexpr (is_flushed<Sub, V>)
      directed_fma(processor_mode(rounding_mode::round_toward_zero), a, b, c, inward, n);
    directed_fma(processor_mode(M), a, b, c, a, n);
    if constexpr (is_flushed<Sub, V>)
      for (unsigned long long k = 0; k < n; k++)
        a[k] = flush<Sub>(a[k], inward[k]);
    write_block<R, M, Sub>(a, i, n, r);
  });
  return r;
}

template <rounding_mode M, subnormals_rounding_mode Sub, class R>
lanes<R> directed_root(const lanes<R> &x) {
  lanes<R> r;
  for_blocks<count<R>>([&](unsigned long long i, unsigned long long n) {
    tile_value<R> a[block];
    read_block<R, Sub>(x, i, n, a);
    directed_sqrt(processor_mode(M), a, a, n);
    write_block<R, M, Sub>(a, i, n, r);
  });
  return r;
}

} // namespace cpu

template <unary_op Op, rounding_mode Round, subnormals_rounding_mode Sub, class R>
inline lanes<R> unary(lanes_arg<R> x) {
  lanes<R> r;
  if constexpr (Op == unary_op::sqrt && cpu::rounds_directed<Round, R>) {
    r = cpu::directed_root<Round, Sub, R>(x);
  } else {
    using element = cpu::element<typename R::element_type>;
#pragma omp simd
    for (unsigned long long i = 0; i < cpu::count<R>; i++)
      r.v[i] =
          element::write(cpu::flush<Sub>(cpu::apply<Op>(cpu::flush<Sub>(element::read(x.v[i])))));
  }
  cpu::check_made<R>(cpu::name_of_unary<Op>, r,
                     [&](auto i, auto is_wrong) { return cpu::is_wrong_in<R>(x, i, is_wrong); });
  return r;
}

namespace cpu {
template <binary_op Op, rounding_mode Round, subnormals_rounding_mode Sub, class R, class X,
          class Y>
TESSERA_CHECKED lanes<R> binary(const X &x, const Y &y) {
  lanes<R> r;
  check_divisor<Op, R>(y);
  if constexpr (rounds_directed<Round, R> && (Op == binary_op::add || Op == binary_op::sub ||
                                              Op == binary_op::mul || Op == binary_op::div)) {
    r = directed<Op, Round, Sub, R>(x, y);
  } else {
    using element = cpu::element<typename R::element_type>;
#pragma omp simd
    for (unsigned long long i = 0; i < count<R>; i++)
      r.v[i] = element::write(nearest_flushed<Op, Sub>(flush<Sub>(element::read(x.v[i])),
                                                       flush<Sub>(element::read(y.v[i]))));
  }
  check_made<R>(name_of_binary<Op>, r, [&](auto i, auto is_wrong) {
    return is_wrong_in<R>(x, i, is_wrong) || is_wrong_in<R>(y, i, is_wrong);
  });
  return r;
}

template <rounding_mode Round, subnormals_rounding_mode Sub, class R, class X, class Y, class Z>
TESSERA_CHECKED lanes<R> fma(const X &x, const Y &y, const Z &z) {
  using E = typename R::element_type;
  using element = cpu::element<E>;
  lanes<R> r;
  if constexpr (rounds_directed<Round, R> && !is_narrow_float<E>) {
    r = directed_fused<Round, Sub, R>(x, y, z);
  } else {
#pragma omp simd
    for (unsigned long long i = 0; i < count<R>; i++) {
      const auto a = flush<Sub>(element::read(x.v[i])), b = flush<Sub>(element::read(y.v[i])),
                 c = flush<Sub>(element::read(z.v[i]));
      const auto sum = fused<E, Round>(a, b, c);
      if constexpr (is_flushed<Sub, ::std::remove_const_t<decltype(sum)>>)
        r.v[i] = flush<Sub>(sum, fma_to_odd(a, b, c));
      else
        r.v[i] = sum;
    }
  }
  check_made<R>("fma", r, [&](auto i, auto is_wrong) {
    return is_wrong_in<R>(x, i, is_wrong) || is_wrong_in<R>(y, i, is_wrong) ||
           is_wrong_in<R>(z, i, is_wrong);
  });
  return r;
}

template <compare_op Op, class R, class A, class X, class Y>
lanes<R> compare(const X &x, const Y &y) {
  using element = cpu::element<typename A::element_type>;
  lanes<R> r;
#pragma omp simd
  for (unsigned long long i = 0; i < count<R>; i++)
    r.v[i] = holds<Op>(element::read(x.v[i]), element::read(y.v[i]));
  return r;
}
} // namespace cpu

template <binary_op Op, rounding_mode Round, subnormals_rounding_mode Sub, class R>
inline lanes<R> binary(lanes_arg<R> x, lanes_arg<R> y) {
  return cpu::binary<Op, Round, Sub, R>(x, y);
}
template <binary_op Op, rounding_mode Round, subnormals_rounding_mode Sub, class R, class X,
          class Y>
  requires(is_uniform<X> || is_uniform<Y>)
TESSERA_CHECKED inline lanes<R> binary(const X &x, const Y &y) {
  return cpu::binary<Op, Round, Sub, R>(x, y);
}

template <rounding_mode Round, subnormals_rounding_mode Sub, class R>
inline lanes<R> fma(lanes_arg<R> x, lanes_arg<R> y, lanes_arg<R> z) {
  return cpu::fma<Round, Sub, R>(x, y, z);
}
template <rounding_mode Round, subnormals_rounding_mode Sub, class R, class X, class Y, class Z>
  requires(is_uniform<X> || is_uniform<Y> || is_uniform<Z>)
TESSERA_CHECKED inline lanes<R> fma(const X &x, const Y &y, const Z &z) {
  return cpu::fma<Round, Sub, R>(x, y, z);
}

template <compare_op Op, class R, class A> inline lanes<R> compare(lanes_arg<A> x, lanes_arg<A> y) {
  return cpu::compare<Op, R, A>(x, y);
}
template <compare_op Op, class R, class A, class X, class Y>
  requires(is_uniform<X> || is_uniform<Y>)
inline lanes<R> compare(const X &x, const Y &y) {
  return cpu::compare<Op, R, A>(x, y);
}

template <classify_op Op, class R, class A> inline lanes<R> classify(lanes_arg<A> x) {
  using element = cpu::element<typename A::element_type>;
  using value = cpu::tile_value<A>;
  lanes<R> r;
#pragma omp simd
  for (unsigned long long i = 0; i < cpu::count<R>; i++) {
    const value e = element::read(x.v[i]);
    r.v[i] = Op == classify_op::isnan ? e != e
                                      : ::std::fabs(e) == ::std::numeric_limits<value>::infinity();
  }
  return r;
}

template <class R, class M> inline lanes<R> select(lanes_arg<M> m, lanes_arg<R> x, lanes_arg<R> y) {
  lanes<R> r;
  // Both are read in any case: a choice of addresses would be a gather.
#pragma omp simd
  for (unsigned long long i = 0; i < cpu::count<R>; i++) {
    const lane_t<R> one = x.v[i], other = y.v[i];
    r.v[i] = m.v[i] ? one : other;
  }
  return r;
}

template <class R, class A, rounding_mode Round> inline lanes<R> cast(lanes_arg<A> x) {
  lanes<R> r;
#pragma omp simd
  for (unsigned long long i = 0; i < cpu::count<R>; i++)
    r.v[i] = cpu::convert<typename R::element_type, typename A::element_type, Round>(x.v[i]);
  cpu::check_made<R>("conversion", r,
                     [&](auto i, auto is_wrong) { return cpu::is_wrong_in<A>(x, i, is_wrong); });
  return r;
}

// A bool has one bit: the lowest bit of an integer.
template <class R, class A> inline lanes<R> bitcast(lanes_arg<A> x) {
  static_assert(sizeof(lane_t<R>) == sizeof(lane_t<A>));
  lanes<R> r;
  ::std::memcpy(r.v, x.v, sizeof r.v);
  if constexpr (::std::is_same_v<typename R::element_type, bool>)
    for (auto &lane : r.v)
      lane &= 1;
  return r;
}

} // namespace cuda::tiles::__prim
