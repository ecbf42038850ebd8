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

} // namespace detail

// Scans what this warp holds along Dim; Backward starts from the last element. Blocks of 2^k
// neighbours are joined for growing k: the later half of two adds the total of the earlier one.
template <class Op, int Dim, bool Backward, class T, class L>
TESSERA_DEVICE fragment<T, L> scan(const fragment<T, L> &x) {
  using steps = detail::scan_steps<Dim, L>;
  using wide = detail::wide<T>;
  constexpr int n = L::register_count;
  const int lane = arch::lane_index();
  wide v[n], total[n], before[n]; // total, before: of a block, in the first of its registers
  TESSERA_UNROLL
  for (int i = 0; i < n; ++i)
    before[i] = total[i] = v[i] = detail::to_wide(x.r[i]);
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
        const wide other = detail::shuffle_xor(total[i], bit);
        if (is_later)
          before[i] = has_earlier ? Op::combine(other, before[i]) : other;
        total[i] = is_later ? Op::combine(other, total[i]) : Op::combine(total[i], other);
      }
      has_earlier |= is_later;
      lanes |= bit;
    }
    const int bit = steps::register_bit(k);
    if (lanes && (bit || k == steps::count - 1)) {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        v[i] = has_earlier ? Op::combine(before[i & ~done], v[i]) : v[i];
      has_earlier = false;
      lanes = 0;
    }
    if (bit) {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        if (((i & bit) == 0) == Backward)
          v[i] = Op::combine(total[(i & ~done) ^ bit], v[i]);
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        if ((i & (done | bit)) == 0)
          total[i] = Backward ? Op::combine(total[i | bit], total[i])
                              : Op::combine(total[i], total[i | bit]);
      done |= bit;
    }
  }
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < n; ++i)
    y.r[i] = detail::from_wide<T, detail::rounding_of<Op>>(v[i]);
  return y;
}

namespace detail {

// The runs of a scan of layout L, one for each warp along Dim, and the offset of each run's total
// in P, which orders them by the bits of the warp number.
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
    int element = 0, partial = 1;
    for (int d = 0; d < shape::rank; ++d)
      if (d != Dim)
        element += shape::coordinate(d, L::element(i)) * P::shape::stride(d);
    for (int w = 0; w < L::warp_map::count; ++w) {
      const int basis = L::warp_map::basis(w);
      if ((static_cast<unsigned>(basis) & along) == 0)
        continue;
      if (shape::coordinate(Dim, basis) / length & run)
        element += partial * P::shape::stride(Dim);
      partial *= 2;
    }
    return P::register_of(element);
  }
};

} // namespace detail

// x is scanned within warps; totals holds the total of every warp's run in every thread.
template <class Op, int Dim, bool Backward, class T, class L, class P>
TESSERA_DEVICE fragment<T, L> scan_carry(const fragment<T, L> &x, const fragment<T, P> &totals) {
  using runs = detail::scan_runs<Dim, L, P>;
  using wide = detail::wide<T>;
  const int own = runs::own(), first = Backward ? runs::count - 1 : 0;
  wide before[P::register_count]; // of a line, in the register of its first run
  TESSERA_UNROLL
  for (int i = 0; i < P::register_count; ++i)
    before[i] = detail::to_wide(totals.r[i]);
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i) {
    const int line = runs::total(i, first);
    if ((L::element(i) & static_cast<int>(runs::along)) == 0) {
      wide sum = before[line];
      TESSERA_UNROLL
      for (int k = 1; k < runs::count; ++k) {
        const int run = Backward ? first - k : k;
        before[line] = own == run ? sum : before[line];
        sum = Op::combine(sum, detail::to_wide(totals.r[runs::total(i, run)]));
      }
    }
  }
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i) {
    const wide here = detail::to_wide(x.r[i]);
    y.r[i] = detail::from_wide<T, detail::rounding_of<Op>>(
        own == first ? here : Op::combine(before[runs::total(i, first)], here));
  }
  return y;
}

} // namespace tessera
