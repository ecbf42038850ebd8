// Inclusive scans along one dimension: over the registers of a thread and over the lanes, in the
// order of the dimension's bits. A warp holds one run of the dimension; if several warps lie along
// it, scan_carry adds the totals of the preceding warps, which the caller passes through shared
// memory.
#pragma once

#include "reduce.cuh"

namespace tessera {

namespace detail {

// The bit of the register, lane or warp number that steps along Dim by 2^k; 0 if there is none of
// that kind.
template <int Dim, class L> struct scan_steps {
  using shape = typename L::shape;
  static constexpr unsigned along = static_cast<unsigned>(shape::bits(Dim));
  static constexpr int count = log2(static_cast<unsigned>(shape::extent(Dim)));
  static constexpr int warps = count_bits(static_cast<unsigned>(L::warp_map::bits_along(along)));

  template <class Map> TESSERA_CONSTEXPR static int bit(int k) {
    for (int i = 0; i < Map::count; ++i)
      if ((static_cast<unsigned>(Map::basis(i)) & along) ==
          static_cast<unsigned>(shape::stride(Dim)) << k)
        return 1 << i;
    return 0;
  }
  TESSERA_CONSTEXPR static int register_bit(int k) { return bit<typename L::register_map>(k); }
  TESSERA_CONSTEXPR static int lane_bit(int k) { return bit<typename L::lane_map>(k); }

  TESSERA_CONSTEXPR static bool is_run() {
    for (int k = 0; k < count - warps; ++k)
      if (register_bit(k) == 0 && lane_bit(k) == 0)
        return false;
    return true;
  }
  static_assert(is_run(), "a warp holds one run of the scanned dimension");
};

// The order of two operands matters, unless it is known not to.
template <class Combine> inline constexpr bool is_commutative = false;
template <class Op> inline constexpr bool is_commutative<combine_by<Op>> = true;

template <class V> TESSERA_DEVICE V choose(bool condition, V x, V y) { return condition ? x : y; }

// A value and that of another lane, which precedes it or follows.
template <class Combine, class V>
TESSERA_DEVICE V combine_lanes(const Combine &combine, V own, V other, bool is_later) {
  if constexpr (is_commutative<Combine>)
    return combine(other, own);
  else
    return combine(choose(is_later, other, own), choose(is_later, own, other));
}

// Scans the values v of what this warp holds along Dim. Blocks of 2^k neighbours are joined for
// growing k: the later half of two takes the total of the earlier one.
template <int Dim, bool Backward, class L, class Combine, class V>
TESSERA_DEVICE void scan_values(const Combine &combine, V (&v)[L::register_count]) {
  using steps = scan_steps<Dim, L>;
  constexpr int n = L::register_count;
  const int lane = arch::lane_index();
  V total[n], before[n]; // of a block, in the first of its registers
  TESSERA_UNROLL
  for (int i = 0; i < n; ++i)
    before[i] = total[i] = v[i];
  int done = 0, lanes = 0;  // bits of registers and lanes within a block
  bool has_earlier = false; // `before` holds the total of preceding lanes, not yet part of v
  TESSERA_UNROLL
  for (int k = 0; k < steps::count; ++k) {
    if (const int bit = steps::lane_bit(k)) {
      const bool is_later = ((lane & bit) == 0) == Backward;
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i) {
        if (i & done)
          continue;
        const V other = shuffle_xor(total[i], bit);
        before[i] =
            choose(is_later, choose(has_earlier, combine(other, before[i]), other), before[i]);
        total[i] = combine_lanes(combine, total[i], other, is_later);
      }
      has_earlier |= is_later;
      lanes |= bit;
    }
    const int bit = steps::register_bit(k);
    if (lanes && (bit || k == steps::count - 1)) {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        v[i] = choose(has_earlier, combine(before[i & ~done], v[i]), v[i]);
      has_earlier = false;
      lanes = 0;
    }
    if (bit) {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        if (((i & bit) == 0) == Backward)
          v[i] = combine(total[(i & ~done) ^ bit], v[i]);
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        if ((i & (done | bit)) == 0)
          total[i] =
              Backward ? combine(total[i | bit], total[i]) : combine(total[i], total[i | bit]);
      done |= bit;
    }
  }
}

} // namespace detail

// Scans what this warp holds along Dim; Backward starts from the last element.
template <class Op, int Dim, bool Backward, class T, class L>
TESSERA_DEVICE fragment<T, L> scan(const fragment<T, L> &x) {
  detail::wide<T> v[L::register_count];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    v[i] = detail::to_wide(x.r[i]);
  detail::scan_values<Dim, Backward, L>(detail::combine_by<Op>{}, v);
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = detail::from_wide<T, detail::rounding_of<Op>>(v[i]);
  return y;
}

namespace detail {

// The runs of a scan of layout L, one for each warp along Dim, and the register of each run's total
// in P, which has them in their order.
template <int Dim, class L, class P> struct scan_runs {
  using shape = typename L::shape;
  static constexpr int count = P::shape::extent(Dim);
  static constexpr int length = shape::extent(Dim) / count;
  static constexpr unsigned along = static_cast<unsigned>(shape::bits(Dim));

  // The index of this warp's run along Dim.
  TESSERA_DEVICE static int own() {
    return shape::coordinate(Dim, L::warp_map::apply(arch::warp_index())) / length;
  }

  // The register of P with the total of a run, on the same line as register i of L.
  TESSERA_CONSTEXPR static int total(int i, int run) {
    int element = run * P::shape::stride(Dim);
    for (int d = 0; d < shape::rank; ++d)
      if (d != Dim)
        element += shape::coordinate(d, L::element(i)) * P::shape::stride(d);
    return P::register_of(element);
  }
};

// The values v are scanned within warps; totals are those of every warp's run, in every thread.
template <int Dim, bool Backward, class L, class P, class Combine, class V>
TESSERA_DEVICE void carry_values(const Combine &combine, V (&v)[L::register_count],
                                 const V (&totals)[P::register_count]) {
  using runs = scan_runs<Dim, L, P>;
  const int own = runs::own(), first = Backward ? runs::count - 1 : 0;
  V before[P::register_count]; // of a line, in the register of its first run
  TESSERA_UNROLL
  for (int i = 0; i < P::register_count; ++i)
    before[i] = totals[i];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i) {
    const int line = runs::total(i, first);
    if ((L::element(i) & static_cast<int>(runs::along)) == 0) {
      V sum = before[line];
      TESSERA_UNROLL
      for (int k = 1; k < runs::count; ++k) {
        const int run = Backward ? first - k : k;
        before[line] = choose(own == run, sum, before[line]);
        sum = combine(sum, totals[runs::total(i, run)]);
      }
    }
  }
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    v[i] = choose(own == first, v[i], combine(before[runs::total(i, first)], v[i]));
}

} // namespace detail

// x is scanned within warps; totals holds the total of every warp's run in every thread.
template <class Op, int Dim, bool Backward, class T, class L, class P>
TESSERA_DEVICE fragment<T, L> scan_carry(const fragment<T, L> &x, const fragment<T, P> &totals) {
  detail::wide<T> v[L::register_count], before[P::register_count];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    v[i] = detail::to_wide(x.r[i]);
  TESSERA_UNROLL
  for (int i = 0; i < P::register_count; ++i)
    before[i] = detail::to_wide(totals.r[i]);
  detail::carry_values<Dim, Backward, L, P>(detail::combine_by<Op>{}, v, before);
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = detail::from_wide<T, detail::rounding_of<Op>>(v[i]);
  return y;
}

} // namespace tessera
