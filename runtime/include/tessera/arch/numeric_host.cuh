// The host bodies of numeric.cuh: the same functions, exact in the same directions. Directions are
// set in the floating-point environment, with operands and results in volatile variables so that no
// compiler computes before the change.
#pragma once

#include "../types.cuh"

#include <cfenv>
#include <cmath>
#include <limits>

namespace tessera::arch {

namespace detail {

template <rounding R> struct rounding_scope {
  int before = std::fegetround();
  rounding_scope() {
    if constexpr (R == rounding::toward_zero)
      std::fesetround(FE_TOWARDZERO);
    if constexpr (R == rounding::toward_negative)
      std::fesetround(FE_DOWNWARD);
    if constexpr (R == rounding::toward_positive)
      std::fesetround(FE_UPWARD);
  }
  ~rounding_scope() { std::fesetround(before); }
};

} // namespace detail

inline float flush(float a) {
  return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a;
}

inline float flushed(float result, float toward_zero) {
  return std::fabs(toward_zero) < std::numeric_limits<float>::min() ? std::copysign(0.0f, result)
                                                                    : result;
}

#define TESSERA_ROUNDED(NAME, ARITY, EXPRESSION)                                                   \
  template <class T, rounding R> inline T NAME##_in(T a_, T b_, T c_) {                            \
    volatile T a = a_, b = b_, c = c_, d;                                                          \
    static_cast<void>(b), static_cast<void>(c);                                                    \
    const detail::rounding_scope<R> scope;                                                         \
    d = EXPRESSION;                                                                                \
    return d;                                                                                      \
  }                                                                                                \
  TESSERA_ROUNDED_##ARITY(NAME)

// Flushes numbers that are subnormal before rounding, that is, rounded toward zero.
#define TESSERA_FLUSHED(NAME, A, B, C)                                                             \
  flushed(NAME##_in<float, R>(A, B, C), NAME##_in<float, rounding::toward_zero>(A, B, C))
#define TESSERA_ROUNDED_1(NAME)                                                                    \
  template <rounding R, bool Flush> inline float NAME(float a) {                                   \
    return Flush ? TESSERA_FLUSHED(NAME, flush(a), 0, 0) : NAME##_in<float, R>(a, 0, 0);           \
  }                                                                                                \
  template <rounding R> inline double NAME(double a) { return NAME##_in<double, R>(a, 0, 0); }
#define TESSERA_ROUNDED_2(NAME)                                                                    \
  template <rounding R, bool Flush> inline float NAME(float a, float b) {                          \
    return Flush ? TESSERA_FLUSHED(NAME, flush(a), flush(b), 0) : NAME##_in<float, R>(a, b, 0);    \
  }                                                                                                \
  template <rounding R> inline double NAME(double a, double b) {                                   \
    return NAME##_in<double, R>(a, b, 0);                                                          \
  }
#define TESSERA_ROUNDED_3(NAME)                                                                    \
  template <rounding R, bool Flush> inline float NAME(float a, float b, float c) {                 \
    return Flush ? TESSERA_FLUSHED(NAME, flush(a), flush(b), flush(c))                             \
                 : NAME##_in<float, R>(a, b, c);                                                   \
  }                                                                                                \
  template <rounding R> inline double NAME(double a, double b, double c) {                         \
    return NAME##_in<double, R>(a, b, c);                                                          \
  }

TESSERA_ROUNDED(add, 2, a + b)
TESSERA_ROUNDED(sub, 2, a - b)
TESSERA_ROUNDED(mul, 2, a *b)
TESSERA_ROUNDED(div, 2, a / b)
TESSERA_ROUNDED(fma, 3, std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)))
TESSERA_ROUNDED(sqrt, 1, std::sqrt(static_cast<T>(a)))
#undef TESSERA_FLUSHED
#undef TESSERA_ROUNDED
#undef TESSERA_ROUNDED_1
#undef TESSERA_ROUNDED_2
#undef TESSERA_ROUNDED_3

inline short magnitude(short a) { return static_cast<short>(a < 0 ? -a : a); }

inline float plain_quotient(float a, float b) { return a / b; }

template <bool Flush> inline float flush_if(float a) { return Flush ? flush(a) : a; }

template <bool Flush> inline float div_approximate(float a, float b) {
  return flush_if<Flush>(flush_if<Flush>(a) / flush_if<Flush>(b));
}
template <bool Flush> inline float div_full(float a, float b) {
  return div_approximate<Flush>(a, b);
}
template <bool Flush> inline float sqrt_approximate(float a) {
  return flush_if<Flush>(std::sqrt(flush_if<Flush>(a)));
}
template <bool Flush> inline float rsqrt_approximate(float a) {
  return static_cast<float>(1 / std::sqrt(static_cast<double>(flush_if<Flush>(a))));
}
template <bool Flush> inline float exp2_approximate(float a) {
  return flush_if<Flush>(std::exp2(flush_if<Flush>(a)));
}
inline float tanh_approximate(float a) { return std::tanh(a); }
// The C library's function for double has an error of up to two ulp.
inline double tanh(double a) { return static_cast<double>(std::tanh(static_cast<long double>(a))); }

// The other operand where one is NaN; +0 is greater than -0.
template <class T> inline T min_number(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> inline T max_number(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a > b || (a == b && std::signbit(b)) ? a : b;
}
inline double min(double a, double b) { return min_number(a, b); }
inline double max(double a, double b) { return max_number(a, b); }
template <bool Flush> inline float min(float a, float b) {
  return min_number(flush_if<Flush>(a), flush_if<Flush>(b));
}
template <bool Flush> inline float max(float a, float b) {
  return max_number(flush_if<Flush>(a), flush_if<Flush>(b));
}
template <bool Flush> inline float min_nan(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<float>::quiet_NaN()
                                        : min<Flush>(a, b);
}
template <bool Flush> inline float max_nan(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<float>::quiet_NaN()
                                        : max<Flush>(a, b);
}

// Masked-off elements may divide by 0, and the smallest integer by -1: neither may trap.
template <class T> inline T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1))
      return static_cast<T>(0ull - static_cast<unsigned long long>(a));
  return b == 0 ? T(-1) : static_cast<T>(a / b);
}
template <class T> inline T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1))
      return 0;
  return b == 0 ? a : static_cast<T>(a % b);
}

inline unsigned mul_high(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
inline unsigned long long mul_high(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}

template <class T> T complement(T a) { return static_cast<T>(~a); }
template <class T> T negated(T a) { return static_cast<T>(T(0) - a); }

// A GPU gives its own NaN for every 32-bit NaN.
inline float negated_float(float a) { return a != a ? __builtin_bit_cast(float, 0x7fffffff) : -a; }
inline double negated_float(double a) { return -a; }

namespace detail {

template <class To, rounding R, class From> inline To convert_in(From a_) {
  volatile From a = a_;
  const rounding_scope<R> scope;
  volatile To d = static_cast<To>(a);
  return d;
}

} // namespace detail

template <rounding R> inline float to_float(double a) { return detail::convert_in<float, R>(a); }
template <rounding R> inline float to_float(int a) { return detail::convert_in<float, R>(a); }
template <rounding R> inline float to_float(unsigned a) {
  return detail::convert_in<float, R>(static_cast<long long>(a));
}
template <rounding R> inline float to_float(long long a) { return detail::convert_in<float, R>(a); }
template <rounding R> inline float to_float(unsigned long long a) {
  return detail::convert_in<float, R>(static_cast<long double>(a));
}
template <rounding R> inline double to_double(long long a) {
  return detail::convert_in<double, R>(a);
}
template <rounding R> inline double to_double(unsigned long long a) {
  return detail::convert_in<double, R>(static_cast<long double>(a));
}

template <rounding R> inline half to_half(float a) {
  return R == rounding::toward_zero       ? __float2half_rz(a)
         : R == rounding::toward_negative ? __float2half_rd(a)
         : R == rounding::toward_positive ? __float2half_ru(a)
                                          : __float2half_rn(a);
}

template <rounding R> inline bf16 to_bf16(float a) {
  return R == rounding::toward_zero       ? __float2bfloat16_rz(a)
         : R == rounding::toward_negative ? __float2bfloat16_rd(a)
         : R == rounding::toward_positive ? __float2bfloat16_ru(a)
                                          : __float2bfloat16_rn(a);
}

inline unsigned to_bf16_pair(float low, float high) {
  const bf16 pair[2] = {__float2bfloat16_rn(low), __float2bfloat16_rn(high)};
  unsigned d;
  std::memcpy(&d, pair, 4);
  return d;
}

inline unsigned to_half_pair(float low, float high) {
  const half pair[2] = {__float2half_rn(low), __float2half_rn(high)};
  unsigned d;
  std::memcpy(&d, pair, 4);
  return d;
}

template <class T> unsigned to_fp8_quad(const float *x) {
  const T quad[4] = {T(x[0]), T(x[1]), T(x[2]), T(x[3])};
  unsigned d;
  std::memcpy(&d, quad, 4);
  return d;
}

// To nearest, ties to even, or toward zero, in the 13 low bits.
template <rounding R> inline float to_tf32(float a) {
  if (std::isnan(a) || std::isinf(a))
    return a;
  unsigned bits;
  std::memcpy(&bits, &a, 4);
  if constexpr (R != rounding::toward_zero)
    bits += 0xfffu + (bits >> 13 & 1u);
  bits &= ~0x1fffu;
  std::memcpy(&a, &bits, 4);
  return a;
}

// One rounding, to nearest. The product is exact in double; the sum is rounded to odd (toward zero,
// with its inexactness kept in the last bit), in double and in float: a value rounded to odd may be
// rounded again.
namespace detail {

inline float fma_to_odd(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, sum = product + c;
  const double part = sum - product, lost = (product - (sum - part)) + (c - part);
  double odd = sum;
  unsigned long long wide;
  std::memcpy(&wide, &sum, 8);
  if (lost != 0 && lost == lost && (wide & 1) == 0)
    wide += (lost < 0) == (sum > 0) ? -1ull : 1ull;
  std::memcpy(&odd, &wide, 8);
  float nearest = static_cast<float>(odd);
  unsigned bits;
  std::memcpy(&bits, &nearest, 4);
  if (nearest == nearest && static_cast<double>(nearest) != odd && (bits & 1) == 0)
    bits += std::fabs(static_cast<double>(nearest)) > std::fabs(odd) ? -1u : 1u;
  std::memcpy(&nearest, &bits, 4);
  return nearest;
}

} // namespace detail

inline half fma(half a, half b, half c) {
  return __float2half_rn(detail::fma_to_odd(__half2float(a), __half2float(b), __half2float(c)));
}
inline bf16 fma(bf16 a, bf16 b, bf16 c) {
  return __float2bfloat16_rn(
      detail::fma_to_odd(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}

namespace detail {

template <class To, rounding R> inline To saturate(double a) {
  if (std::isnan(a))
    return 0;
  a = R == rounding::nearest           ? std::nearbyint(a)
      : R == rounding::toward_negative ? std::floor(a)
      : R == rounding::toward_positive ? std::ceil(a)
                                       : std::trunc(a);
  if (a <= static_cast<double>(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  if (a >= static_cast<double>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return static_cast<To>(a);
}

} // namespace detail

template <rounding R, class F> inline int to_int(F a) { return detail::saturate<int, R>(a); }
template <rounding R, class F> inline unsigned to_uint(F a) {
  return detail::saturate<unsigned, R>(a);
}
template <rounding R, class F> inline long long to_long(F a) {
  return detail::saturate<long long, R>(a);
}
template <rounding R, class F> inline unsigned long long to_ulong(F a) {
  return detail::saturate<unsigned long long, R>(a);
}

} // namespace tessera::arch
