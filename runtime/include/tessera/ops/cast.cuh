// Conversions of one element: of numbers, and of bits. half and bf16 (and tf32, fp8) go through
// float and round once; a function whose name ends in _unsigned reads its operand as unsigned.
#pragma once

#include "../types.cuh"
#include "../arch/arch.cuh"

namespace tessera {

namespace detail {

template <class T> inline constexpr bool is_small_float = false;
#define TESSERA_FLOAT_CLASS(KIND, NAME, ...)                                                       \
  template <> inline constexpr bool is_small_float<NAME> = true;
#include "../elements.def"
template <class T> inline constexpr bool is_float =
    is_small_float<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T> inline constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool>;

// A conversion to an integer rounds by default as the language does: toward zero.
template <class T> inline constexpr rounding default_rounding =
    is_float<T> ? rounding::nearest : rounding::toward_zero;

// Only directions: approximate and full choose an instruction, not a direction.
TESSERA_CONSTEXPR rounding direction(rounding r) {
  return r == rounding::approximate || r == rounding::full ? rounding::nearest : r;
}

template <class T> TESSERA_DEVICE float widen(T x) {
  if constexpr (std::is_same_v<T, half>)
    return __half2float(x);
  else if constexpr (std::is_same_v<T, bf16>)
    return __bfloat162float(x);
  else if constexpr (std::is_same_v<T, tf32>)
    return x.value;
  else
    return static_cast<float>(x);
}

template <class T, rounding R = rounding::nearest> TESSERA_DEVICE T narrow(float x) {
  if constexpr (std::is_same_v<T, half>)
    return arch::to_half<R>(x);
  else if constexpr (std::is_same_v<T, bf16>)
    return arch::to_bf16<R>(x);
  else if constexpr (std::is_same_v<T, tf32>)
    return tf32{arch::to_tf32<R>(x)};
  else
    return T(x);
}

// A bool is an unsigned number of one bit already.
template <class T> TESSERA_DEVICE auto as_unsigned(T x) {
  if constexpr (std::is_same_v<T, bool>)
    return x;
  else
    return static_cast<std::make_unsigned_t<T>>(x);
}

} // namespace detail

template <class To, class From> TESSERA_DEVICE To bitcast(From x) {
  static_assert(sizeof(To) == sizeof(From), "bitcast keeps the width");
  To y{};
  memcpy(static_cast<void *>(&y), &x, sizeof(To));
  return y;
}

namespace detail {

template <class To, rounding R, class F> TESSERA_DEVICE To float_to_integer(F x) {
  if constexpr (std::is_unsigned_v<To>) {
    if constexpr (sizeof(To) == 8)
      return arch::to_ulong<R>(x);
    else
      return static_cast<To>(arch::to_uint<R>(x));
  } else {
    if constexpr (sizeof(To) == 8)
      return arch::to_long<R>(x);
    else
      return static_cast<To>(arch::to_int<R>(x));
  }
}

template <class To, rounding R, class I> TESSERA_DEVICE To integer_to_float(I x) {
  using W = std::conditional_t<sizeof(I) == 8, I,
                               std::conditional_t<std::is_unsigned_v<I>, unsigned, int>>;
  if constexpr (std::is_same_v<To, double>) {
    if constexpr (sizeof(I) == 8)
      return arch::to_double<R>(static_cast<W>(x));
    else
      return static_cast<double>(x);
  } else if constexpr (std::is_same_v<To, float>) {
    return arch::to_float<R>(static_cast<W>(x));
  } else if constexpr (R == rounding::nearest) {
    // Truncated with its inexactness kept in the last bit ("round to odd"), so that the second
    // rounding sees on which side the integer lies.
    const float t = arch::to_float<rounding::toward_zero>(static_cast<W>(x));
    const bool exact = arch::to_float<rounding::toward_negative>(static_cast<W>(x)) ==
                       arch::to_float<rounding::toward_positive>(static_cast<W>(x));
    return narrow<To>(exact ? t : bitcast<float>(bitcast<unsigned>(t) | 1u));
  } else {
    return narrow<To, R>(arch::to_float<R>(static_cast<W>(x)));
  }
}

template <class To, rounding R, class From> TESSERA_DEVICE To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, bool>) {
    if constexpr (is_small_float<From>)
      return widen(x) != 0.0f;
    else
      return x != From(0);
  } else if constexpr (is_small_float<From>) {
    return convert<To, R>(widen(x));
  } else if constexpr (std::is_same_v<From, bool>) {
    return convert<To, R>(static_cast<int>(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return float_to_integer<To, direction(R)>(x);
  } else if constexpr (std::is_integral_v<From> && is_float<To>) {
    return integer_to_float<To, direction(R)>(x);
  } else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>) {
    return arch::to_float<direction(R)>(x);
  } else if constexpr (std::is_same_v<From, double> && is_small_float<To>) {
    if constexpr (direction(R) == rounding::nearest) {
      const float t = arch::to_float<rounding::toward_zero>(x);
      return narrow<To>(static_cast<double>(t) == x || !(x - x == 0) || !(t - t == 0)
                            ? t
                            : bitcast<float>(bitcast<unsigned>(t) | 1u));
    } else {
      return narrow<To, direction(R)>(arch::to_float<direction(R)>(x));
    }
  } else if constexpr (is_small_float<To>) {
    return narrow<To, direction(R)>(x);
  } else {
    return static_cast<To>(x);
  }
}

} // namespace detail

template <class To, rounding R, class From> TESSERA_DEVICE To cast(From x) {
  return detail::convert<To, R>(x);
}

template <class To, class From> TESSERA_DEVICE To cast(From x) {
  return detail::convert<To, detail::default_rounding<To>>(x);
}

// The source read as unsigned.
template <class To, class From> TESSERA_DEVICE To cast_unsigned(From x) {
  return cast<To>(detail::as_unsigned(x));
}

namespace detail {

TESSERA_DEVICE float upper_half_word(float x) {
  return bitcast<float>(bitcast<unsigned>(x) & 0xffff0000u);
}

// What the upper half word of `rest` leaves of it, or 2^-64 of x instead of 0: a term of 0 times
// infinity would be a NaN, where x times infinity is infinity. No sum of floats keeps 2^-64 of x.
TESSERA_DEVICE float below_upper_half_word(float rest, float x) {
  const float below = rest - upper_half_word(rest);
  return below < 0.0f || below > 0.0f ? below : x * 0x1p-64f;
}

} // namespace detail

// One of three bf16 numbers whose sum is x: term 0 has its 8 upper bits, term 2 its 8 lower ones.
// The product of each term and a bf16 number is exact in float. Bits below 2^-133 are lost.
template <int Term> TESSERA_DEVICE bf16 bf16_term(float x) {
  float rest = x;
  TESSERA_UNROLL
  for (int i = 0; i < Term; ++i)
    rest = detail::below_upper_half_word(rest, x);
  return bitcast<bf16>(static_cast<unsigned short>(bitcast<unsigned>(rest) >> 16));
}

// The unsigned value of a float, in the bits of a signed integer.
template <class To, class From> TESSERA_DEVICE To cast_to_unsigned(From x) {
  return static_cast<To>(cast<std::make_unsigned_t<To>>(x));
}

} // namespace tessera
