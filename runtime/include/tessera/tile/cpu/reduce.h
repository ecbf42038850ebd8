// Reductions and scans along one dimension. A tile is treated as outer x n x inner around that
// dimension.
//
// A reduction folds the upper half of the n rows onto the lower half until one is left: extents are
// powers of two, and the order of the additions is fixed. One pass over contiguous elements takes
// several of these steps in registers. Sums of narrow floating-point types are kept in float and
// rounded once.
#pragma once

#include "shape.h"

namespace cuda::tiles::__prim {
namespace cpu {

constexpr binary_op binary_of(reduce_op op) {
  switch (op) {
  case reduce_op::sum: return binary_op::add;
  case reduce_op::prod: return binary_op::mul;
  case reduce_op::max:
  case reduce_op::argmax: return binary_op::max;
  case reduce_op::min:
  case reduce_op::argmin: return binary_op::min;
  case reduce_op::max_nan: return binary_op::max_nan;
  case reduce_op::min_nan: return binary_op::min_nan;
  case reduce_op::bit_and: return binary_op::bit_and;
  case reduce_op::bit_or: return binary_op::bit_or;
  case reduce_op::bit_xor: return binary_op::bit_xor;
  }
}

// r[i] = x[i] op y[i]
template <reduce_op Op, rounding_mode M, subnormals_rounding_mode Sub, class V>
void combine(const V *x, const V *y, V *r, long long n) {
  constexpr bool rounds = Op == reduce_op::sum || Op == reduce_op::prod;
  if constexpr (rounds && is_directed(M) && ::std::is_floating_point_v<V>) {
    // In blocks, which are flushed on the stack.
    for (long long i = 0; i < n; i += long(block)) {
      const long long m = n - i < long(block) ? n - i : long(block);
      V a[block], b[block];
      for (long long k = 0; k < m; k++)
        a[k] = flush<Sub>(x[i + k]), b[k] = flush<Sub>(y[i + k]);
      directed_flushed<binary_of(Op), M, Sub>(a, b, a, static_cast<unsigned long long>(m));
      for (long long k = 0; k < m; k++)
        r[i + k] = flush<Sub>(a[k]);
    }
  } else {
#pragma omp simd
    for (long long i = 0; i < n; i++)
      r[i] = nearest_flushed<binary_of(Op), Sub>(flush<Sub>(x[i]), flush<Sub>(y[i]));
  }
}

template <class E>
void read_all(const typename element<E>::lane *from, value_of<E> *to, long long n) {
#pragma omp simd
  for (long long i = 0; i < n; i++)
    to[i] = element<E>::read(from[i]);
}
template <class E, rounding_mode M>
void write_all(const value_of<E> *from, typename element<E>::lane *to, long long n) {
#pragma omp simd
  for (long long i = 0; i < n; i++)
    to[i] = write_rounded<M, E>(from[i]);
}

// The index of the dimension in the shape of A.
template <class A, int Dim> struct along {
  static constexpr long long n = extent<A>(Dim), outer = extent_product<A>(0, Dim),
                             inner = extent_product<A>(Dim + 1, rank<A>), size = n * inner;
};

// How many rows a pass folds onto one, where N are left: many, unless little of a vector would be
// left for the next pass.
template <long long N, long long Inner> inline constexpr long long rows_at_once =
    N / 16 * Inner >= 16 ? 16
    : N < 4              ? N
                         : 4;

// read(k), read(k + Step), ... of Rows, the upper half folded onto the lower half until one is
// left. Calls would keep the loop around this from vectorising.
template <reduce_op Op, subnormals_rounding_mode Sub, long long Rows, long long Step = 1,
          class Read>
[[gnu::always_inline]] inline auto fold_rows(const Read &read, long long k = 0) {
  if constexpr (Step == Rows)
    return read(k);
  else
    return nearest_flushed<binary_of(Op), Sub>(
        flush<Sub>(fold_rows<Op, Sub, Rows, 2 * Step>(read, k)),
        flush<Sub>(fold_rows<Op, Sub, Rows, 2 * Step>(read, k + Step)));
}

// Folds N x Inner values, which read(i) gives, to Inner values at the front of `to`, which has room
// for what one pass leaves.
template <reduce_op Op, subnormals_rounding_mode Sub, long long N, long long Inner, class V,
          class Read>
void fold(V *to, Read read) {
  constexpr long long rows = rows_at_once<N, Inner>, left = N / rows * Inner;
#pragma omp simd
  for (long long i = 0; i < left; i++)
    to[i] = fold_rows<Op, Sub, rows>([=](long long k) { return read(i + k * left); });
  if constexpr (left > Inner)
    fold<Op, Sub, N / rows, Inner>(to, [=](long long i) { return to[i]; });
}

// The same in mode M and in place.
template <reduce_op Op, rounding_mode M, subnormals_rounding_mode Sub, long long N, long long Inner,
          class V>
void fold_directed(V *x) {
  for (long long half = N / 2; half > 0; half /= 2)
    combine<Op, M, Sub>(x, x + half * Inner, x, half * Inner);
}

// The index of the first of N elements, Inner apart, that equals `best`; a NaN equals nothing and
// gives 0.
template <class E, long long N, long long Inner>
unsigned first_equal(const typename element<E>::lane *x, value_of<E> best) {
  unsigned first = N;
#pragma omp simd reduction(min : first)
  for (long long i = 0; i < N; i++) {
    const unsigned candidate = element<E>::read(x[i * Inner]) == best ? unsigned(i) : unsigned(N);
    first = candidate < first ? candidate : first;
  }
  return first == N ? 0 : first;
}

} // namespace cpu

template <reduce_op Op, int Dim, rounding_mode Round, subnormals_rounding_mode Sub, class R,
          class A>
inline lanes<R> reduce(lanes_arg<A> x) {
  using E = typename A::element_type;
  using V = cpu::value_of<E>;
  using at = cpu::along<A, Dim>;
  constexpr bool is_directed = cpu::is_directed(Round) && ::std::is_floating_point_v<V> &&
                               (Op == reduce_op::sum || Op == reduce_op::prod);
  lanes<R> r;
  for (long long o = 0; o < at::outer; o++) {
    const auto *from = x.v + o * at::size;
    alignas(64) V values[at::size / (is_directed ? 1 : cpu::rows_at_once<at::n, at::inner>)];
    if constexpr (is_directed) {
      cpu::read_all<E>(from, values, at::size);
      cpu::fold_directed<Op, Round, Sub, at::n, at::inner>(values);
    } else {
      cpu::fold<Op, Sub, at::n, at::inner>(
          values, [=](long long i) { return cpu::element<E>::read(from[i]); });
    }
    if constexpr (Op == reduce_op::argmax || Op == reduce_op::argmin) {
      for (long long i = 0; i < at::inner; i++)
        r.v[o * at::inner + i] = cpu::first_equal<E, at::n, at::inner>(from + i, values[i]);
    } else {
      cpu::write_all<E, Round>(values, r.v + o * at::inner, at::inner);
    }
  }
  cpu::check_made<R>("reduction", r, [&](unsigned long long i, auto is_wrong) {
    const unsigned long long first = i / at::inner * at::size + i % at::inner;
    for (unsigned long long k = 0; k < at::n; k++)
      if (cpu::is_wrong_in<A>(x, first + k * at::inner, is_wrong))
        return true;
    return false;
  });
  return r;
}

template <reduce_op Op, int Dim, bool Backward, rounding_mode Round, subnormals_rounding_mode Sub,
          class R>
inline lanes<R> scan(lanes_arg<R> x) {
  using E = typename R::element_type;
  using at = cpu::along<R, Dim>;
  lanes<R> r;
  for (long long o = 0; o < at::outer; o++) {
    cpu::value_of<E> values[at::size];
    cpu::read_all<E>(x.v + o * at::size, values, at::size);
    for (long long i = 1; i < at::n; i++) {
      auto *row = values + (Backward ? at::n - 1 - i : i) * at::inner;
      cpu::combine<Op, Round, Sub>(Backward ? row + at::inner : row - at::inner, row, row,
                                   at::inner);
    }
    cpu::write_all<E, Round>(values, r.v + o * at::size, at::size);
  }
  cpu::check_made<R>("scan", r, [&](unsigned long long i, auto is_wrong) {
    const unsigned long long own = i / at::inner % at::n,
                             first = i / at::size * at::size + i % at::inner;
    for (unsigned long long k = Backward ? own : 0; k < (Backward ? at::n : own + 1); k++)
      if (cpu::is_wrong_in<R>(x, first + k * at::inner, is_wrong))
        return true;
    return false;
  });
  return r;
}

} // namespace cuda::tiles::__prim
