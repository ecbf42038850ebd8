// Every elementwise operation on one element. Integers wrap; half and bf16 (and tf32, fp8) compute
// in float and round once; a function whose name ends in _unsigned reads its operands as unsigned.
// elementwise.cuh lifts these operations to fragments.
#pragma once

#include "../types.cuh"
#include "../arch/arch.cuh"

#include <cmath>

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

// Conversions

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

// The unsigned value of a float, in the bits of a signed integer.
template <class To, class From> TESSERA_DEVICE To cast_to_unsigned(From x) {
  return static_cast<To>(cast<std::make_unsigned_t<To>>(x));
}

// Arithmetic: rounding, then whether subnormals are flushed.

namespace detail {

#define TESSERA_ARITHMETIC(NAME, SYMBOL)                                                           \
  template <rounding R = rounding::nearest, bool Flush = false, class T>                           \
  TESSERA_DEVICE T NAME##_one(T a, T b) {                                                          \
    if constexpr (is_integer<T>)                                                                   \
      return static_cast<T>(as_unsigned(a) SYMBOL as_unsigned(b));                                 \
    else if constexpr (std::is_same_v<T, bool>)                                                    \
      return a != b; /* of one bit */                                                              \
    else if constexpr (is_small_float<T>)                                                          \
      return narrow<T, direction(R)>(NAME##_one<R, Flush>(widen(a), widen(b)));                    \
    else if constexpr (direction(R) == rounding::nearest && !Flush)                                \
      return a SYMBOL b;                                                                           \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      return arch::NAME<direction(R)>(a, b);                                                       \
    else                                                                                           \
      return arch::NAME<direction(R), Flush>(a, b);                                                \
  }
TESSERA_ARITHMETIC(add, +)
TESSERA_ARITHMETIC(sub, -)
#undef TESSERA_ARITHMETIC

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T mul_one(T a, T b) {
  if constexpr (is_integer<T>)
    return static_cast<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
  else if constexpr (is_small_float<T>)
    return narrow<T, direction(R)>(mul_one<R, Flush>(widen(a), widen(b)));
  else if constexpr (direction(R) == rounding::nearest && !Flush)
    return a * b;
  else if constexpr (std::is_same_v<T, double>)
    return arch::mul<direction(R)>(a, b);
  else
    return arch::mul<direction(R), Flush>(a, b);
}

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T div_one(T a, T b) {
  if constexpr (is_integer<T>) {
    return arch::quotient(a, b);
  } else if constexpr (is_small_float<T>) {
    return narrow<T, direction(R)>(div_one<R, Flush>(widen(a), widen(b)));
  } else if constexpr (std::is_same_v<T, double>) {
    return arch::div<direction(R)>(a, b);
  } else if constexpr (R == rounding::approximate) {
    return arch::div_approximate<Flush>(a, b);
  } else if constexpr (R == rounding::full) {
    return arch::div_full<Flush>(a, b);
  } else {
    return arch::div<R, Flush>(a, b);
  }
}

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T fma_one(T a, T b, T c) {
  if constexpr (is_integer<T>)
    return add_one(mul_one(a, b), c);
  else if constexpr (is_small_float<T> && direction(R) == rounding::nearest)
    return arch::fma(a, b, c);
  else if constexpr (is_small_float<T>) // two roundings in one direction equal one
    return narrow<T, direction(R)>(fma_one<R, Flush>(widen(a), widen(b), widen(c)));
  else if constexpr (std::is_same_v<T, double>)
    return arch::fma<direction(R)>(a, b, c);
  else
    return arch::fma<direction(R), Flush>(a, b, c);
}

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T sqrt_one(T a) {
  if constexpr (is_small_float<T>)
    return narrow<T, direction(R)>(sqrt_one<R, Flush>(widen(a)));
  else if constexpr (std::is_same_v<T, double>)
    return arch::sqrt<direction(R)>(a);
  else if constexpr (R == rounding::approximate)
    return arch::sqrt_approximate<Flush>(a);
  else
    return arch::sqrt<direction(R), Flush>(a);
}

// rsqrt.approx has an error of 2 ulp and does not flush by itself; double uses the library's.
template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T rsqrt_one(T a) {
  if constexpr (is_small_float<T>)
    return narrow<T>(rsqrt_one<R, Flush>(widen(a)));
  else if constexpr (std::is_same_v<T, double>)
    return 1.0 / ::sqrt(a);
  else
    return arch::rsqrt_approximate<Flush>(a);
}

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T exp2_one(T a) {
  if constexpr (is_small_float<T>)
    return narrow<T>(exp2_one<R, Flush>(widen(a)));
  else if constexpr (std::is_same_v<T, double>)
    return ::exp2(a);
  else if constexpr (R == rounding::approximate || Flush)
    return arch::exp2_approximate<Flush>(a);
  else
    return ::exp2f(a);
}

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T exp_one(T a) {
  if constexpr (is_small_float<T>)
    return narrow<T>(exp_one<R, Flush>(widen(a)));
  else if constexpr (std::is_same_v<T, double>)
    return ::exp(a);
  else if constexpr (R == rounding::approximate || Flush)
    return arch::exp2_approximate<Flush>(a * 1.4426950408889634f);
  else
    return ::expf(a);
}

template <rounding R = rounding::nearest, bool Flush = false, class T>
TESSERA_DEVICE T tanh_one(T a) {
  if constexpr (is_small_float<T>)
    return narrow<T>(tanh_one<R, Flush>(widen(a)));
  else if constexpr (std::is_same_v<T, double>)
    return arch::tanh(a);
  else if constexpr (R == rounding::approximate)
    return arch::tanh_approximate(a);
  else
    return ::tanhf(a);
}

// The other operand where one is NaN; the _nan forms give NaN. +0 is greater than -0.
#define TESSERA_EXTREME(NAME, COMPARE)                                                             \
  template <rounding = rounding::nearest, bool Flush = false, class T>                             \
  TESSERA_DEVICE T NAME##_one(T a, T b) {                                                          \
    if constexpr (is_small_float<T>)                                                               \
      return narrow<T>(arch::NAME<Flush>(widen(a), widen(b)));                                     \
    else if constexpr (std::is_same_v<T, float>)                                                   \
      return arch::NAME<Flush>(a, b);                                                              \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      return arch::NAME(a, b);                                                                     \
    else                                                                                           \
      return b COMPARE a ? b : a;                                                                  \
  }                                                                                                \
  template <rounding = rounding::nearest, bool Flush = false, class T>                             \
  TESSERA_DEVICE T NAME##_nan_one(T a, T b) {                                                      \
    if constexpr (is_small_float<T>)                                                               \
      return narrow<T>(arch::NAME##_nan<Flush>(widen(a), widen(b)));                               \
    else if constexpr (std::is_same_v<T, float>)                                                   \
      return arch::NAME##_nan<Flush>(a, b);                                                        \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      return a != a || b != b ? a + b : arch::NAME(a, b);                                          \
    else                                                                                           \
      return NAME##_one(a, b);                                                                     \
  }
TESSERA_EXTREME(min, <)
TESSERA_EXTREME(max, >)
#undef TESSERA_EXTREME

template <class T> TESSERA_DEVICE T min_unsigned_one(T a, T b) {
  return as_unsigned(b) < as_unsigned(a) ? b : a;
}
template <class T> TESSERA_DEVICE T max_unsigned_one(T a, T b) {
  return as_unsigned(b) > as_unsigned(a) ? b : a;
}

// Integers

template <class T> TESSERA_DEVICE T rem_one(T a, T b) {
  if constexpr (is_small_float<T>)
    return narrow<T>(::fmodf(widen(a), widen(b)));
  else if constexpr (std::is_same_v<T, float>)
    return ::fmodf(a, b);
  else if constexpr (std::is_same_v<T, double>)
    return ::fmod(a, b);
  else
    return arch::remainder(a, b);
}

template <class T> TESSERA_DEVICE T div_unsigned_one(T a, T b) {
  return static_cast<T>(arch::quotient(as_unsigned(a), as_unsigned(b)));
}
template <class T> TESSERA_DEVICE T rem_unsigned_one(T a, T b) {
  return static_cast<T>(arch::remainder(as_unsigned(a), as_unsigned(b)));
}
template <class T> TESSERA_DEVICE T bit_and_one(T a, T b) { return static_cast<T>(a & b); }
template <class T> TESSERA_DEVICE T bit_or_one(T a, T b) { return static_cast<T>(a | b); }
template <class T> TESSERA_DEVICE T bit_xor_one(T a, T b) { return static_cast<T>(a ^ b); }
// An unsigned count that is at least the width shifts every bit out.
template <class T> TESSERA_DEVICE bool moves_all_out(T count) {
  return as_unsigned(count) >= 8 * sizeof(T);
}
template <class T> TESSERA_DEVICE T shl_one(T a, T b) {
  return moves_all_out(b) ? T(0) : static_cast<T>(as_unsigned(a) << b);
}
template <class T> TESSERA_DEVICE T shr_one(T a, T b) {
  return static_cast<T>(a >> (moves_all_out(b) ? static_cast<T>(8 * sizeof(T) - 1) : b));
}
template <class T> TESSERA_DEVICE T shr_unsigned_one(T a, T b) {
  return moves_all_out(b) ? T(0) : static_cast<T>(as_unsigned(a) >> b);
}
// A bool has one bit, which stays only if the count is 0.
TESSERA_DEVICE bool shl_one(bool a, bool b) { return a && !b; }
TESSERA_DEVICE bool shr_one(bool a, bool b) { return a && !b; }
TESSERA_DEVICE bool shr_unsigned_one(bool a, bool b) { return a && !b; }

template <class T> TESSERA_DEVICE T floordiv_one(T a, T b) {
  const T q = div_one(a, b);
  return rem_one(a, b) != 0 && (a < 0) != (b < 0) ? static_cast<T>(q - 1) : q;
}

template <class T> TESSERA_DEVICE T ceildiv_one(T a, T b) {
  const T q = div_one(a, b);
  return rem_one(a, b) != 0 && (a < 0) == (b < 0) ? static_cast<T>(q + 1) : q;
}

template <class T> TESSERA_DEVICE T ceildiv_unsigned_one(T a, T b) {
  return add_one(div_unsigned_one(a, b), static_cast<T>(rem_unsigned_one(a, b) != 0));
}

template <class T> TESSERA_DEVICE T floordiv_unsigned_one(T a, T b) {
  return div_unsigned_one(a, b);
}

// The upper half of the product; both operands are read as unsigned, whatever their type.
template <class T> TESSERA_DEVICE T mulhi_one(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return false;
  else if constexpr (sizeof(T) >= 4)
    return static_cast<T>(arch::mul_high(as_unsigned(a), as_unsigned(b)));
  else
    return static_cast<T>(
        (static_cast<unsigned>(as_unsigned(a)) * static_cast<unsigned>(as_unsigned(b))) >>
        (8 * sizeof(T)));
}

// Unary

template <class T> TESSERA_DEVICE T neg_one(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return a; // in one bit, -1 is 1
  else if constexpr (is_integer<T>)
    return static_cast<T>(arch::negated(as_unsigned(a)));
  else if constexpr (is_small_float<T>)
    return narrow<T>(-widen(a));
  else
    return arch::negated_float(a);
}

template <class T> TESSERA_DEVICE T bit_not_one(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(arch::complement(as_unsigned(a)));
}

template <class T> TESSERA_DEVICE bool logical_not_one(T a) { return !static_cast<bool>(a); }

template <class T> TESSERA_DEVICE T abs_one(T a) {
  if constexpr (is_small_float<T>)
    return narrow<T>(::fabsf(widen(a)));
  else if constexpr (std::is_same_v<T, float>)
    return ::fabsf(a);
  else if constexpr (std::is_same_v<T, double>)
    return ::fabs(a);
  else if constexpr (std::is_signed_v<T> && sizeof(T) == 2)
    return static_cast<T>(arch::magnitude(a));
  else
    return a < 0 ? static_cast<T>(0u - as_unsigned(a)) : a;
}

// C library functions; small floats go through float.
#define TESSERA_LIBRARY_1(NAME, C)                                                                 \
  template <class T> TESSERA_DEVICE T NAME##_one(T a) {                                            \
    if constexpr (is_small_float<T>)                                                               \
      return narrow<T>(::C##f(widen(a)));                                                          \
    else if constexpr (std::is_same_v<T, float>)                                                   \
      return ::C##f(a);                                                                            \
    else                                                                                           \
      return ::C(a);                                                                               \
  }
#define TESSERA_LIBRARY_2(NAME, C)                                                                 \
  template <class T> TESSERA_DEVICE T NAME##_one(T a, T b) {                                       \
    if constexpr (is_small_float<T>)                                                               \
      return narrow<T>(::C##f(widen(a), widen(b)));                                                \
    else if constexpr (std::is_same_v<T, float>)                                                   \
      return ::C##f(a, b);                                                                         \
    else                                                                                           \
      return ::C(a, b);                                                                            \
  }
#define TESSERA_MATH_1(NAME, CPU, C) TESSERA_LIBRARY_1(NAME, C)
#define TESSERA_C_MATH_1(NAME, C) TESSERA_LIBRARY_1(NAME, C)
#define TESSERA_MATH_2(NAME, CPU, C) TESSERA_LIBRARY_2(NAME, C)
#define TESSERA_C_MATH_2(NAME, C) TESSERA_LIBRARY_2(NAME, C)
#include "../ops.def"
#undef TESSERA_LIBRARY_1
#undef TESSERA_LIBRARY_2

template <class T> TESSERA_DEVICE bool isnan_one(T a) {
  if constexpr (is_small_float<T>)
    return widen(a) != widen(a);
  else
    return a != a;
}

template <class T> TESSERA_DEVICE bool isinf_one(T a) {
  if constexpr (std::is_same_v<T, double>)
    return ::fabs(a) == static_cast<double>(HUGE_VALF);
  else
    return abs_one(widen(a)) == HUGE_VALF;
}

// Comparisons

#define TESSERA_COMPARE(NAME, SYMBOL)                                                              \
  template <class T> TESSERA_DEVICE bool NAME##_one(T a, T b) {                                    \
    if constexpr (is_small_float<T>)                                                               \
      return widen(a) SYMBOL widen(b);                                                             \
    else                                                                                           \
      return a SYMBOL b;                                                                           \
  }
TESSERA_COMPARE(eq, ==)
TESSERA_COMPARE(ne, !=)
TESSERA_COMPARE(lt, <)
TESSERA_COMPARE(le, <=)
TESSERA_COMPARE(gt, >)
TESSERA_COMPARE(ge, >=)
#undef TESSERA_COMPARE

template <class T> TESSERA_DEVICE bool lt_unsigned_one(T a, T b) {
  return as_unsigned(a) < as_unsigned(b);
}
template <class T> TESSERA_DEVICE bool le_unsigned_one(T a, T b) {
  return as_unsigned(a) <= as_unsigned(b);
}
template <class T> TESSERA_DEVICE bool gt_unsigned_one(T a, T b) {
  return as_unsigned(a) > as_unsigned(b);
}
template <class T> TESSERA_DEVICE bool ge_unsigned_one(T a, T b) {
  return as_unsigned(a) >= as_unsigned(b);
}

} // namespace detail

// Set bits of an integer, and clear bits above the highest set bit.
template <class T> TESSERA_DEVICE T complement(T x) { return detail::bit_not_one(x); }
template <class T> TESSERA_DEVICE T count_ones(T x) {
  return static_cast<T>(arch::count_ones(static_cast<std::make_unsigned_t<T>>(x)));
}
template <class T> TESSERA_DEVICE T count_leading_zeros(T x) {
  constexpr int unused = 64 - 8 * static_cast<int>(sizeof(T));
  return static_cast<T>(arch::count_leading_zeros(static_cast<std::make_unsigned_t<T>>(x)) -
                        unused);
}
template <class T> TESSERA_DEVICE T count_trailing_zeros(T x) {
  return count_ones(static_cast<T>(~x & (x - 1)));
}

} // namespace tessera
