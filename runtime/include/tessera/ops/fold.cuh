// Reductions and scans of n tiles at once, by any function: combine(element..., accumulator...) of
// one value of each tile gives a pack of n values, or one value. An accumulator combines neighbours
// that precede the element. As in reduce.cuh and scan.cuh a warp folds what it holds.
#pragma once

#include "pack.cuh"
#include "scan.cuh"

namespace tessera {

namespace detail {

// combine as a function of two packs, of which the first is the accumulators'.
template <class F> struct combine_packs {
  const F &combine;

  template <class... T>
  TESSERA_DEVICE pack<T...> operator()(const pack<T...> &earlier, const pack<T...> &later) const {
    return apply(earlier, later, std::index_sequence_for<T...>());
  }

private:
  template <class... T, std::size_t... I> TESSERA_DEVICE pack<T...>
  apply(const pack<T...> &earlier, const pack<T...> &later, std::index_sequence<I...>) const {
    if constexpr (sizeof...(T) == 1)
      return {combine(get<I>(later)..., get<I>(earlier)...)};
    else
      return combine(get<I>(later)..., get<I>(earlier)...);
  }
};

template <class... T, std::size_t... I>
TESSERA_DEVICE pack<T...> shuffle_all(const pack<T...> &x, int mask, std::index_sequence<I...>) {
  return {shuffle_xor(get<I>(x), mask)...};
}
template <class... T, std::size_t... I> TESSERA_DEVICE pack<T...>
choose_all(bool condition, const pack<T...> &x, const pack<T...> &y, std::index_sequence<I...>) {
  return {choose(condition, get<I>(x), get<I>(y))...};
}

template <class L, class... T>
TESSERA_DEVICE void to_packs(pack<T...> (&v)[L::register_count], const fragment<T, L> &...x) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    v[i] = {x.r[i]...};
}

template <class L, class... T, std::size_t... I>
TESSERA_DEVICE void to_packs(pack<T...> (&v)[L::register_count], const pack<fragment<T, L>...> &x,
                             std::index_sequence<I...>) {
  to_packs<L>(v, get<I>(x)...);
}

template <class L, class... T, std::size_t... I> TESSERA_DEVICE auto
to_fragments(const pack<T...> (&v)[L::register_count], std::index_sequence<I...>) {
  pack<fragment<T, L>...> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    ((get<I>(y).r[i] = get<I>(v[i])), ...);
  if constexpr (sizeof...(T) == 1)
    return y.first;
  else
    return y;
}
template <class L, class... T>
TESSERA_DEVICE auto to_fragments(const pack<T...> (&v)[L::register_count]) {
  return to_fragments<L>(v, std::index_sequence_for<T...>());
}

// Folds the values v of layout L along Dim to the values y of layout R: blocks of 2^k neighbours
// are joined for growing k.
template <int Dim, bool Backward, class L, class R, class Combine, class V> TESSERA_DEVICE void
reduce_neighbours(const Combine &combine, V (&v)[L::register_count], V (&y)[R::register_count]) {
  using steps = scan_steps<Dim, L>;
  const int lane = arch::lane_index();
  int done = 0; // bits of registers within a block
  TESSERA_UNROLL
  for (int k = 0; k < steps::count; ++k) {
    if (const int bit = steps::lane_bit(k)) {
      TESSERA_UNROLL
      for (int i = 0; i < L::register_count; ++i)
        if ((i & done) == 0)
          v[i] =
              combine_lanes(combine, v[i], shuffle_xor(v[i], bit), ((lane & bit) == 0) == Backward);
    }
    if (const int bit = steps::register_bit(k)) {
      TESSERA_UNROLL
      for (int i = 0; i < L::register_count; ++i)
        if ((i & (done | bit)) == 0)
          v[i] = Backward ? combine(v[i | bit], v[i]) : combine(v[i], v[i | bit]);
      done |= bit;
    }
  }
  TESSERA_UNROLL
  for (int i = 0; i < R::register_count; ++i)
    y[i] = v[reduction_bits<Dim, L, R>::source(i)];
}

} // namespace detail

// The functions of detail that take one value, of a pack.
template <class... T> TESSERA_DEVICE pack<T...> shuffle_xor(const pack<T...> &x, int mask) {
  return detail::shuffle_all(x, mask, std::index_sequence_for<T...>());
}
template <class... T>
TESSERA_DEVICE pack<T...> choose(bool condition, const pack<T...> &x, const pack<T...> &y) {
  return detail::choose_all(condition, x, y, std::index_sequence_for<T...>());
}

// Whatever the order of its operands, combine gives the same. R as of reduce.
template <int Dim, class R, class Combine, class L, class... T>
TESSERA_DEVICE auto reduce(const Combine &combine, const fragment<T, L> &...x) {
  pack<T...> v[L::register_count], y[R::register_count];
  detail::to_packs<L>(v, x...);
  detail::reduce_values<Dim, L, R>(detail::combine_packs<Combine>{combine}, v, y);
  return detail::to_fragments<R>(y);
}

// Only neighbours are combined, in their order; Backward starts from the last element.
template <int Dim, bool Backward, class R, class Combine, class L, class... T>
TESSERA_DEVICE auto reduce_in_order(const Combine &combine, const fragment<T, L> &...x) {
  pack<T...> v[L::register_count], y[R::register_count];
  detail::to_packs<L>(v, x...);
  detail::reduce_neighbours<Dim, Backward, L, R>(detail::combine_packs<Combine>{combine}, v, y);
  return detail::to_fragments<R>(y);
}

// Scans what this warp holds along Dim; Backward starts from the last element.
template <int Dim, bool Backward, class Combine, class L, class... T>
TESSERA_DEVICE auto scan(const Combine &combine, const fragment<T, L> &...x) {
  pack<T...> v[L::register_count];
  detail::to_packs<L>(v, x...);
  detail::scan_values<Dim, Backward, L>(detail::combine_packs<Combine>{combine}, v);
  return detail::to_fragments<L>(v);
}

// x are scanned within warps; totals hold the totals of every warp's run in every thread.
template <int Dim, bool Backward, class Combine, class... T, class L, class P>
TESSERA_DEVICE auto scan_carry(const Combine &combine, const pack<fragment<T, L>...> &x,
                               const pack<fragment<T, P>...> &totals) {
  pack<T...> v[L::register_count], before[P::register_count];
  detail::to_packs<L>(v, x, std::index_sequence_for<T...>());
  detail::to_packs<P>(before, totals, std::index_sequence_for<T...>());
  detail::carry_values<Dim, Backward, L, P>(detail::combine_packs<Combine>{combine}, v, before);
  return detail::to_fragments<L>(v);
}

} // namespace tessera
