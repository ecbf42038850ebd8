// Reductions along one dimension: a thread's registers first, then the lanes along the dimension.
// Each warp along it leaves one partial result, which the caller reduces through shared memory.
#pragma once

#include "elementwise.cuh"

namespace tessera {

// The operators of reductions and scans. ROUNDED: with an option for rounding, or for flushing
// subnormals.
#define TESSERA_REDUCTION(NAME, BODY)                                                              \
  struct NAME {                                                                                    \
    template <class T> TESSERA_DEVICE static T combine(T a, T b) { return detail::BODY(a, b); }    \
  };
#define TESSERA_ROUNDED_REDUCTION(NAME, BODY)                                                      \
  struct NAME {                                                                                    \
    template <rounding R = rounding::nearest, bool Flush = false, class T>                         \
    TESSERA_DEVICE static T combine(T a, T b) {                                                    \
      return detail::BODY<R, Flush>(a, b);                                                         \
    }                                                                                              \
  };
TESSERA_ROUNDED_REDUCTION(sum, add_one)
TESSERA_ROUNDED_REDUCTION(prod, mul_one)
TESSERA_ROUNDED_REDUCTION(maximum, max_one)
TESSERA_ROUNDED_REDUCTION(minimum, min_one)
TESSERA_ROUNDED_REDUCTION(maximum_nan, max_nan_one)
TESSERA_ROUNDED_REDUCTION(minimum_nan, min_nan_one)
TESSERA_REDUCTION(maximum_unsigned, max_unsigned_one)
TESSERA_REDUCTION(minimum_unsigned, min_unsigned_one)
TESSERA_REDUCTION(bit_and, bit_and_one)
TESSERA_REDUCTION(bit_or, bit_or_one)
TESSERA_REDUCTION(bit_xor, bit_xor_one)
#undef TESSERA_REDUCTION
#undef TESSERA_ROUNDED_REDUCTION

// Op in rounding R, with subnormals flushed or not.
template <class Op, rounding R, bool Flush = false> struct modified {
  template <class T> TESSERA_DEVICE static T combine(T a, T b) {
    return Op::template combine<R, Flush>(a, b);
  }
};

namespace detail {

template <class T> TESSERA_DEVICE T shuffle_xor(T x, int mask) {
  constexpr int bytes = sizeof(T), count = (bytes + 3) / 4;
  unsigned w[count] = {};
  memcpy(w, &x, bytes);
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i)
    w[i] = arch::shuffle_xor(w[i], mask);
  memcpy(static_cast<void *>(&x), w, bytes);
  return x;
}

// The rounding of Op's results.
template <class Op> inline constexpr rounding rounding_of = rounding::nearest;
template <class Op, rounding R, bool Flush>
inline constexpr rounding rounding_of<modified<Op, R, Flush>> = R;

// Half and bf16 are reduced in float and rounded once.
template <class T> using wide = std::conditional_t<is_small_float<T>, float, T>;

template <class T> TESSERA_DEVICE wide<T> to_wide(T x) {
  if constexpr (is_small_float<T>)
    return widen(x);
  else
    return x;
}

template <class T, rounding R = rounding::nearest> TESSERA_DEVICE T from_wide(wide<T> x) {
  if constexpr (is_small_float<T>)
    return narrow<T, R>(x);
  else
    return x;
}

// The bits of a reduction of layout L along Dim: the register and lane bits that lie along it, and
// the register that holds an element of the result R.
template <int Dim, class L, class R> struct reduction_bits {
  using from = typename L::shape;
  using to = typename R::shape;
  static_assert(from::rank == to::rank, "a reduction keeps the rank");

  static constexpr unsigned along = static_cast<unsigned>(from::bits(Dim));
  static constexpr int registers = L::register_map::bits_along(along);
  static constexpr int lanes = L::lane_map::bits_along(along);

  // A basis of L without its coordinate along Dim, as an element of the result.
  TESSERA_CONSTEXPR static int project(int element) { return element_at<to, from, Dim>(element); }

  TESSERA_CONSTEXPR static bool fits() {
    for (int i = 0; i < 5; ++i)
      if (R::lane_map::basis(i) != project(L::lane_map::basis(i)))
        return false;
    for (int i = 0; i < L::warp_map::count; ++i)
      if ((static_cast<unsigned>(L::warp_map::basis(i)) & along) == 0 &&
          R::warp_map::basis(i) != project(L::warp_map::basis(i)))
        return false;
    return L::warp_map::count == R::warp_map::count &&
           R::register_count << count_bits(static_cast<unsigned>(registers)) == L::register_count;
  }
  static_assert(fits(), "the layout of the result is the operand's without the reduced dimension");

  // The register of L, with no bit along Dim, whose element R keeps in register r.
  TESSERA_CONSTEXPR static int source(int r) {
    return L::register_of(element_at<from, to, Dim>(R::element(r)));
  }
};

// An operator as a function of two values. None of them depends on the order of its operands.
template <class Op> struct combine_by {
  template <class T> TESSERA_DEVICE T operator()(T a, T b) const { return Op::combine(a, b); }
};

// Folds the registers of a thread whose numbers differ in Bits, the largest of them first, Bit and
// smaller ones; the result is in those without any. Numbers without the bits that are folded so far
// are counted up without a condition: Clang would carry one for each register and bit through most
// of its passes.
template <int Bits, int Bit, int Count, class Combine, class V>
TESSERA_DEVICE void fold_registers(const Combine &combine, V (&v)[Count]) {
  if constexpr (Bit > 0 && (Bits & Bit) != 0) {
    constexpr int others = (Count - 1) & ~(Bits & -Bit);
    constexpr int pairs = 1 << count_bits(unsigned(others));
    int i = 0;
    TESSERA_UNROLL
    for (int pair = 0; pair < pairs; ++pair) {
      v[i] = combine(v[i], v[i | Bit]);
      i = (i - others) & others;
    }
  }
  if constexpr (Bit > 1)
    fold_registers<Bits, Bit / 2>(combine, v);
}

// Folds the values v of layout L along Dim to the values y of layout R: registers, then lanes.
template <int Dim, class L, class R, class Combine, class V> TESSERA_DEVICE void
reduce_values(const Combine &combine, V (&v)[L::register_count], V (&y)[R::register_count]) {
  using bits = reduction_bits<Dim, L, R>;
  fold_registers<bits::registers, L::register_count / 2>(combine, v);
  TESSERA_UNROLL
  for (int i = 0; i < R::register_count; ++i) {
    V z = v[bits::source(i)];
    TESSERA_UNROLL
    for (int lane = 1; lane < 32; lane *= 2)
      if (bits::lanes & lane)
        z = combine(z, shuffle_xor(z, lane));
    y[i] = z;
  }
}

} // namespace detail

// R is x's layout without Dim: extent 1, or one element for each warp along Dim.
template <class Op, int Dim, class R, class T, class L>
TESSERA_DEVICE fragment<T, R> reduce(const fragment<T, L> &x) {
  detail::wide<T> v[L::register_count], z[R::register_count];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    v[i] = detail::to_wide(x.r[i]);
  detail::reduce_values<Dim, L, R>(detail::combine_by<Op>{}, v, z);
  fragment<T, R> y;
  TESSERA_UNROLL
  for (int i = 0; i < R::register_count; ++i)
    y.r[i] = detail::from_wide<T, detail::rounding_of<Op>>(z[i]);
  return y;
}

namespace detail {

// An element and its coordinate along the reduced dimension; of equals the first wins, and a number
// wins over NaN.
template <class T> struct candidate {
  T value;
  int at;
};

template <class Op, class T> TESSERA_DEVICE candidate<T> better(candidate<T> a, candidate<T> b) {
  bool wins = Op::combine(a.value, b.value) != a.value;
  if constexpr (std::is_floating_point_v<T>)
    wins = (a.value != a.value) ? b.value == b.value : wins && b.value == b.value;
  bool equal = a.value == b.value;
  if constexpr (std::is_floating_point_v<T>)
    equal |= (a.value != a.value) & (b.value != b.value);
  const bool b_first = wins || (equal && b.at < a.at);
  return {b_first ? b.value : a.value, b_first ? b.at : a.at};
}

template <class Op> struct better_by {
  template <class T> TESSERA_DEVICE candidate<T> operator()(candidate<T> a, candidate<T> b) const {
    return better<Op>(a, b);
  }
};

template <class T> TESSERA_DEVICE candidate<T> shuffle_xor(candidate<T> x, int mask) {
  return {shuffle_xor(x.value, mask), shuffle_xor(x.at, mask)};
}

} // namespace detail

// `at` of the first extreme element along Dim; of equals, the minimum.
template <class Op, int Dim, class R, class T, class L>
TESSERA_DEVICE fragment<int, R> argreduce(const fragment<T, L> &x, const fragment<int, L> &at) {
  detail::candidate<detail::wide<T>> v[L::register_count], z[R::register_count];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    v[i] = {detail::to_wide(x.r[i]), at.r[i]};
  detail::reduce_values<Dim, L, R>(detail::better_by<Op>{}, v, z);
  fragment<int, R> y;
  TESSERA_UNROLL
  for (int i = 0; i < R::register_count; ++i)
    y.r[i] = z[i].at;
  return y;
}

// The coordinate along Dim.
template <class Op, int Dim, class R, class T, class L>
TESSERA_DEVICE fragment<int, R> argreduce(const fragment<T, L> &x) {
  const int start = L::shape::coordinate(Dim, L::thread_element());
  fragment<int, L> at;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    at.r[i] = start ^ L::shape::coordinate(Dim, L::element(i));
  return argreduce<Op, Dim, R>(x, at);
}

} // namespace tessera
