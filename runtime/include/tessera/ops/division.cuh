// Quotients of whole fragments. The division of one float tests its operands and branches between
// its steps, so sixteen divisions run one after the other. Here all operands are tested first, and
// no branch separates the steps; equal divisors, as in a row, share their part of the work.
#pragma once

#include "../fragment.cuh"
#include "scalar.cuh"

namespace tessera::detail {

template <rounding R, bool Flush> struct div_op;

// Magnitudes, as the bits of a float, with which no step of a division leaves the normal numbers.
inline constexpr unsigned min_plain = (127u - 62) << 23, greatest_plain = (127u + 62) << 23;

// Are all divisors positive and plain, and all dividends plain or zero? A zero keeps its sign only
// with a positive divisor. HasSigns: dividends may be negative; else one that is has greater bits
// than any plain number. Sums and exponentials are divided more often than what may have a sign,
// and the test without signs takes a shift less for each dividend.
template <bool HasSigns, int N>
TESSERA_DEVICE bool are_plain(const float (&a)[N], const float (&b)[N]) {
  constexpr unsigned shift = HasSigns ? 1 : 0; // drops the sign
  unsigned least = ~0u, greatest = 0, divisor = 0;
  TESSERA_UNROLL
  for (int i = 0; i < N; ++i) {
    const unsigned bits = bitcast<unsigned>(a[i]) << shift;
    least = min_unsigned_one(least, bits - 1); // zero becomes the maximum
    greatest = max_unsigned_one(greatest, bits);
    divisor = max_unsigned_one(divisor, bitcast<unsigned>(b[i]) - min_plain);
  }
  return least >= (min_plain << shift) - 1 && greatest <= greatest_plain << shift &&
         divisor <= greatest_plain - min_plain;
}

// Each a / b, correctly rounded.
template <int N>
TESSERA_DEVICE void quotients(const float (&a)[N], const float (&b)[N], float (&q)[N]) {
  if (are_plain<false>(a, b) || are_plain<true>(a, b)) {
    TESSERA_UNROLL
    for (int i = 0; i < N; ++i)
      q[i] = arch::plain_quotient(a[i], b[i]);
  } else {
    TESSERA_UNROLL
    for (int i = 0; i < N; ++i)
      q[i] = arch::div<rounding::nearest, false>(a[i], b[i]);
  }
}

template <class T, class L> using quotients_of =
    std::enable_if_t<(std::is_same_v<T, float> || is_small_float<T>) && L::register_count >= 4>;

// The operation that lift() calls for a / b of fragments with few registers.
template <class T, class L, class = quotients_of<T, L>> TESSERA_DEVICE fragment<T, L>
lift(const div_op<rounding::nearest, false> &, const fragment<T, L> &a, const fragment<T, L> &b) {
  constexpr int count = L::register_count;
  fragment<T, L> y;
  float dividends[count], divisors[count], q[count];
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i)
    dividends[i] = widen(a.r[i]), divisors[i] = widen(b.r[i]);
  quotients(dividends, divisors, q);
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i)
    y.r[i] = narrow<T, rounding::nearest>(q[i]);
  return y;
}

} // namespace tessera::detail
