// Every elementwise operation on one element. Integers wrap; half and bf16 (and tf32, fp8) compute
// in float and round once; a function whose name ends in _unsigned reads its operands as unsigned.
// elementwise.cuh lifts these operations to fragments, cast.cuh has the conversions.
#pragma once

#include "cast.cuh"

#include <cmath>

namespace tessera {

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
