// Arithmetic on one element of a tile: its lane is read to a value, the value is computed, and
// rounded back to a lane.
//
// Values are float for every narrow floating-point type, and the lane itself otherwise. Integers
// wrap; bool is an integer of one bit. Nothing here depends on shapes.
#pragma once

#include "formats.h"
#include "../lanes.h"
#include "../modes.h"

#include <limits>
#include <type_traits>

namespace cuda::tiles::__prim::cpu {

template <class E> struct element {
  using lane = typename __prim::lane<E>::type;
  using value = lane;
  static value read(lane x) { return x; }
  template <class V> static lane write(V x) { return lane(x); }
};

template <> struct element<bool> {
  using lane = unsigned char;
  using value = unsigned char;
  static value read(lane x) { return x; }
  template <class V> static lane write(V x) { return lane(x & 1); }
};

template <class Lane, class Format> struct narrow_element {
  using lane = Lane;
  using value = float;
  static value read(lane x) { return Format::read(x); }
  template <class V> static lane write(V x) { return lane(Format::write(x)); }
};
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, RANK, MLIR, ONE, FORMAT)                \
  template <> struct element<CLASS> : narrow_element<LANE, FORMAT> {};
#include "../../elements.def"

template <class E> using value_of = typename element<E>::value;
template <class E> inline constexpr bool is_narrow_float =
    ::std::is_same_v<value_of<E>, float> && !::std::is_same_v<E, float>;

// The unsigned type in which integers of type T are computed: at least as wide as int, so that
// nothing is promoted to a signed type.
template <class T> using wrapping =
    ::std::conditional_t<(sizeof(T) > sizeof(unsigned)), unsigned long long, unsigned>;

// ---- rounding modes ---------------------------------------------------------------------------
constexpr bool is_directed(rounding_mode m) {
  return m == rounding_mode::round_toward_zero || m == rounding_mode::round_toward_negative ||
         m == rounding_mode::round_toward_positive;
}

// Must a result that was rounded to `nearest` move one step toward zero (-1) or away from it (+1)
// to be rounded in mode M?
template <rounding_mode M, class V> int correction(V nearest, V exact) {
  const bool above = nearest > exact, below = nearest < exact, negative = exact < 0;
  if constexpr (M == rounding_mode::round_toward_zero)
    return negative ? -below : -above;
  else if constexpr (M == rounding_mode::round_toward_negative)
    return negative ? above : -above;
  else
    return negative ? -below : below;
}

// The lane of x, rounded in mode M from a float or a double. A lane's bits are sign and magnitude,
// so the next number is the next code.
template <rounding_mode M, class E, class V> typename element<E>::lane write_rounded(V x) {
  using lane = typename element<E>::lane;
  const lane nearest = element<E>::write(x);
  if constexpr (!is_directed(M) || ::std::is_integral_v<value_of<E>>) {
    return nearest;
  } else if constexpr (::std::is_floating_point_v<lane>) {
    const auto bits = bits_of(nearest);
    return ::std::bit_cast<lane>(
        static_cast<::std::remove_const_t<decltype(bits)>>(bits + correction<M>(V(nearest), x)));
  } else {
    constexpr int step = ::std::is_same_v<E, __nv_tf32> ? 1 << 13 : 1;
    return lane(nearest + step * correction<M>(V(element<E>::read(nearest)), x));
  }
}

template <subnormals_rounding_mode Sub, class V> V flush(V x) {
  if constexpr (Sub == subnormals_rounding_mode::round_subnormals_to_zero &&
                ::std::is_same_v<V, float>)
    return __builtin_fabsf(x) < ::std::numeric_limits<float>::min() ? __builtin_copysignf(0.f, x)
                                                                    : x;
  else
    return x;
}

// A result is flushed if it is subnormal before rounding, as on GPUs. unrounded: rounded toward
// zero, or more exact.
template <subnormals_rounding_mode Sub, class V, class Exact> V flush(V result, Exact unrounded) {
  if constexpr (Sub == subnormals_rounding_mode::round_subnormals_to_zero &&
                ::std::is_same_v<V, float>)
    return __builtin_fabs(unrounded) < ::std::numeric_limits<float>::min()
               ? __builtin_copysignf(0.f, result)
               : result;
  else
    return result;
}

// ---- conversion between values ----------------------------------------------------------------
// Saturates; NaN becomes 0.
template <class I, class F> I integer_of(F x) {
  constexpr F low = F(::std::numeric_limits<I>::min());
  constexpr F beyond = F(::std::numeric_limits<I>::max() / 2 + 1) * 2;
  return x >= beyond               ? ::std::numeric_limits<I>::max()
         : x > low - 1 || x >= low ? I(x)
         : x < 0                   ? ::std::numeric_limits<I>::min()
                                   : I(0);
}

// An integer as a double, rounded to odd: the last bit is set if bits were cut off.
template <class I> double double_to_odd(I x) {
  if constexpr (sizeof(I) < 8)
    return double(x);
  else {
    const bool fits = x <= I(1) << 53 && (!::std::is_signed_v<I> || x >= -(I(1) << 53));
    return double(fits ? x : I((x & ~I(0x7ff)) | (I((x & 0x7ff) != 0) << 11)));
  }
}

template <class To, class From, rounding_mode M>
typename element<To>::lane convert(typename element<From>::lane lane) {
  const auto x = element<From>::read(lane);
  using V = ::std::remove_const_t<decltype(x)>;
  if constexpr (::std::is_same_v<To, bool>)
    return x != 0;
  else if constexpr (::std::is_integral_v<value_of<To>> && ::std::is_floating_point_v<V>)
    return integer_of<value_of<To>>(x);
  else if constexpr (is_narrow_float<To> && ::std::is_integral_v<V>)
    return element<To>::write(double_to_odd(x));
  else
    return write_rounded<M, To>(x);
}

} // namespace cuda::tiles::__prim::cpu
