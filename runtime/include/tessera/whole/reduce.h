// Reductions and scans of whole tiles.
#pragma once

#include "../ops/fold.cuh"
#include "elementwise.h"

namespace tessera {

namespace detail {

// What a functor of reduce.cuh is to the primitives.
template <class Op> struct reduction_of;
#define TESSERA_WHOLE_REDUCTION(NAME, KIND, ARGUMENT, SIGN)                                        \
  template <> struct reduction_of<NAME> {                                                          \
    static constexpr prim::reduce_op kind = prim::reduce_op::KIND;                                 \
    static constexpr prim::reduce_op argument = prim::reduce_op::ARGUMENT;                         \
    static constexpr bool is_unsigned = SIGN;                                                      \
    static constexpr rounding rounds = rounding::nearest;                                          \
    static constexpr bool flushes = false;                                                         \
  };
TESSERA_WHOLE_REDUCTION(sum, sum, sum, false)
TESSERA_WHOLE_REDUCTION(prod, prod, prod, false)
TESSERA_WHOLE_REDUCTION(maximum, max, argmax, false)
TESSERA_WHOLE_REDUCTION(minimum, min, argmin, false)
TESSERA_WHOLE_REDUCTION(maximum_nan, max_nan, max_nan, false)
TESSERA_WHOLE_REDUCTION(minimum_nan, min_nan, min_nan, false)
TESSERA_WHOLE_REDUCTION(maximum_unsigned, max, argmax, true)
TESSERA_WHOLE_REDUCTION(minimum_unsigned, min, argmin, true)
TESSERA_WHOLE_REDUCTION(bit_and, bit_and, bit_and, false)
TESSERA_WHOLE_REDUCTION(bit_or, bit_or, bit_or, false)
TESSERA_WHOLE_REDUCTION(bit_xor, bit_xor, bit_xor, false)
#undef TESSERA_WHOLE_REDUCTION
template <class Op, rounding R, bool Flush> struct reduction_of<modified<Op, R, Flush>>
    : reduction_of<Op> {
  static constexpr rounding rounds = R;
  static constexpr bool flushes = Flush;
};

template <class Op, class T> using read_by =
    typename std::conditional_t<reduction_of<Op>::is_unsigned, unsigned_element<T>,
                                language_element<T>>::type;

} // namespace detail

template <class Op, int Dim, class L, class T, class S>
fragment<T, L> reduce(const fragment<T, whole<S>> &x) {
  using namespace detail;
  return from_lanes<T, read_by<Op, T>, typename L::shape>([&] {
    using reduction = reduction_of<Op>;
    using As = read_by<Op, T>;
    return prim::reduce<reduction::kind, Dim, mode_of(reduction::rounds),
                        subnormals_of(reduction::flushes), tile_of<As, typename L::shape>,
                        tile_of<As, S>>(as_lanes<As>(x));
  });
}

// The index of the first of the greatest, or of the least, elements.
template <class Op, int Dim, class L, class T, class S>
fragment<int, L> argreduce(const fragment<T, whole<S>> &x) {
  using namespace detail;
  return from_lanes<int, unsigned, typename L::shape>([&] {
    using As = read_by<Op, T>;
    return prim::reduce<reduction_of<Op>::argument, Dim, mode_of(rounding::nearest),
                        subnormals_of(false), tile_of<unsigned, typename L::shape>, tile_of<As, S>>(
        as_lanes<As>(x));
  });
}

// `at` of that element; of equals, the minimum.
template <class Op, int Dim, class L, class T, class S>
fragment<int, L> argreduce(const fragment<T, whole<S>> &x, const fragment<int, whole<S>> &at) {
  constexpr int inner = S::stride(Dim), n = S::extent(Dim);
  fragment<int, L> y;
  for (int line = 0; line < y.count; ++line) {
    const int first = line / inner * n * inner + line % inner;
    detail::candidate<detail::wide<T>> best{detail::to_wide(x.r[first]), at.r[first]};
    for (int i = first + inner; i < first + n * inner; i += inner)
      best = detail::better<Op>(best, {detail::to_wide(x.r[i]), at.r[i]});
    y.r[line] = best.at;
  }
  return y;
}

template <class Op, int Dim, bool Backward, class T, class S>
fragment<T, whole<S>> scan(const fragment<T, whole<S>> &x) {
  using namespace detail;
  return from_lanes<T, T, S>([&] {
    using reduction = reduction_of<Op>;
    return prim::scan<reduction::kind, Dim, Backward, mode_of(reduction::rounds),
                      subnormals_of(reduction::flushes), tile_of<T, S>>(as_lanes<T>(x));
  });
}

namespace detail {

// Folds line after line along Dim, from its first element or from its last, to the fragments y.
template <int Dim, bool Scan, bool Backward, class Shape, class Combine, class Y, class... X>
void fold_lines(const Combine &combine, Y &y, const X &...x) {
  constexpr int inner = Shape::stride(Dim), n = Shape::extent(Dim), outer = Shape::size / n / inner;
  const combine_packs<Combine> packs{combine};
  for (int line = 0; line < outer * inner; ++line) {
    const int first = line / inner * n * inner + line % inner;
    pack<typename X::element_type...> total;
    for (int k = 0; k < n; ++k) {
      const int i = first + (Backward ? n - 1 - k : k) * inner;
      const pack<typename X::element_type...> element{x.r[i]...};
      total = k == 0 ? element : packs(total, element);
      if constexpr (Scan)
        y(i, total);
    }
    if constexpr (!Scan)
      y(line, total);
  }
}

template <int Dim, bool Scan, bool Backward, class L, class S, class Combine, class... T,
          std::size_t... I>
auto fold_whole(const Combine &combine, std::index_sequence<I...>,
                const fragment<T, whole<S>> &...x) {
  pack<fragment<T, L>...> y;
  auto keep = [&](int i, const pack<T...> &total) { ((get<I>(y).r[i] = get<I>(total)), ...); };
  fold_lines<Dim, Scan, Backward, S>(combine, keep, x...);
  if constexpr (sizeof...(T) == 1)
    return y.first;
  else
    return y;
}

} // namespace detail

template <int Dim, class R, class Combine, class S, class... T>
auto reduce(const Combine &combine, const fragment<T, whole<S>> &...x) {
  return detail::fold_whole<Dim, false, false, R>(combine, std::index_sequence_for<T...>(), x...);
}
template <int Dim, bool Backward, class R, class Combine, class S, class... T>
auto reduce_in_order(const Combine &combine, const fragment<T, whole<S>> &...x) {
  return detail::fold_whole<Dim, false, Backward, R>(combine, std::index_sequence_for<T...>(),
                                                     x...);
}
template <int Dim, bool Backward, class Combine, class S, class... T>
auto scan(const Combine &combine, const fragment<T, whole<S>> &...x) {
  return detail::fold_whole<Dim, true, Backward, whole<S>>(combine, std::index_sequence_for<T...>(),
                                                           x...);
}

} // namespace tessera
