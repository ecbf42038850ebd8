// exp, exp2, log, log2 and tanh of float as straight-line arithmetic, so that loops over them
// vectorise; double uses the C library.
//
// Errors are within two ulp; infinities, NaN, zeros and subnormals give the C library's results.
// The polynomials interpolate the remainder of the series at Chebyshev points.
#pragma once

#include "extended.h"
#include "formats.h"
#include "fused.h"

#include <cmath>
#include <limits>

namespace cuda::tiles::__prim::cpu {

// ln 2 in two parts: the first has so few bits that its product with any exponent is exact.
inline constexpr float ln2_high = 0x1.63p-1f, ln2_low = -2.12194440e-4f;

// c[0] * x^(n-1) + ... + c[n-1]
template <int N> float polynomial(const float (&c)[N], float x) {
  TESSERA_FUSED
  float p = c[0];
  for (int i = 1; i < N; i++)
    p = p * x + c[i];
  return p;
}

// The integer next to x, for |x| < 2^22: adding 1.5 * 2^23 leaves no bits for a fraction.
struct nearest_integer {
  static constexpr float shift = 0x1.8p23f;
  float shifted;

  explicit nearest_integer(float x) : shifted(x + shift) {}
  float value() const { return shifted - shift; }

  // x times 2 to this integer n, |n| <= 252: in two steps, because 2^n need not be a float. A NaN
  // stays one.
  float scale(float x) const {
    constexpr unsigned one = 127u << 23;
    const unsigned n = bits_of(shifted), half = (n << 22) & 0xff800000u, rest = (n << 23) - half;
    return x * float_of(half + one) * float_of(rest + one);
  }
};

// A NaN stays one.
inline float clamp(float x, float low, float high) {
  const float above = low > x ? low : x;
  return high < above ? high : above;
}

// For |r| <= ln 2 / 2.
inline float exponential_near_zero(float r) {
  TESSERA_FUSED
  static constexpr float c[] = {1.989098271e-04f, 1.393364269e-03f, 8.333310933e-03f,
                                4.166646499e-02f, 1.666666668e-01f, 5.000000013e-01f};
  return polynomial(c, r) * (r * r) + r + 1.f;
}

inline float exponential(float x) {
  TESSERA_FUSED
  const float inside = clamp(x, -104.f, 89.f);
  const nearest_integer integer(inside * 1.44269504f);
  const float n = integer.value();
  return integer.scale(exponential_near_zero((inside - n * ln2_high) - n * ln2_low));
}

inline float exponential2(float x) {
  TESSERA_FUSED
  const float inside = clamp(x, -151.f, 129.f);
  const nearest_integer integer(inside);
  return integer.scale(exponential_near_zero((inside - integer.value()) * 0.693147181f));
}

struct significand_exponent {
  float significand; // in [sqrt(1/2), sqrt(2))
  float exponent;
};
inline significand_exponent split(float x) {
  const bool subnormal = x < ::std::numeric_limits<float>::min();
  const unsigned bits = bits_of(subnormal ? x * 0x1p24f : x) - bits_of(0.707106781f);
  const int exponent = int(bits) >> 23;
  return {float_of((bits & 0x7fffffu) + bits_of(0.707106781f)),
          float(exponent - (subnormal ? 24 : 0))};
}

// The logarithm of 1 + x minus x, for 1 + x in [sqrt(1/2), sqrt(2)).
inline float logarithm_tail(float x) {
  TESSERA_FUSED
  static constexpr float c[] = {6.971611471e-02f,  -1.147973385e-01f, 1.168541992e-01f,
                                -1.242568733e-01f, 1.424905765e-01f,  -1.666780232e-01f,
                                2.000071575e-01f,  -2.499999696e-01f, 3.333333118e-01f};
  return polynomial(c, x) * x * (x * x) - 0.5f * (x * x);
}

// The results of every logarithm for special operands.
inline float logarithm_or_special(float x, float y) {
  constexpr float inf = ::std::numeric_limits<float>::infinity(),
                  nan = ::std::numeric_limits<float>::quiet_NaN();
  return x == 0 ? -inf : x < 0 ? nan : x < inf ? y : x;
}

inline float logarithm(float x) {
  TESSERA_FUSED
  const auto [significand, exponent] = split(x);
  const float f = significand - 1.f;
  return logarithm_or_special(x,
                              (exponent * ln2_low + logarithm_tail(f)) + f + exponent * ln2_high);
}

// 1 / ln 2 is split, too: the product with its first part is exact enough relative to the exponent.
inline float logarithm2(float x) {
  TESSERA_FUSED
  const auto [significand, exponent] = split(x);
  const float f = significand - 1.f, tail = logarithm_tail(f);
  return logarithm_or_special(x, tail * 0.442695041f + f * 0.442695041f + tail + f + exponent);
}

inline float hyperbolic_tangent(float x) {
  TESSERA_FUSED
  static constexpr float c[] = {-6.096293573e-03f, 2.099688879e-02f, -5.385084797e-02f,
                                1.333276933e-01f, -3.333332894e-01f};
  const float magnitude = ::std::fabs(x), square = x * x;
  const float near_zero = polynomial(c, square) * square * magnitude + magnitude;
  const float elsewhere = 1.f - 2.f / (exponential(2.f * magnitude) + 1.f);
  return ::std::copysign(magnitude < 0.625f ? near_zero : elsewhere, x);
}

// The C library's function sets errno, and a loop with it stays scalar.
template <class T> T root(T x) {
#ifdef __clang__
  return __builtin_elementwise_sqrt(x);
#else
  return ::std::sqrt(x);
#endif
}
template <class T> T reciprocal_root(T x) { return T(1) / root(x); }

inline double exponential(double x) { return ::std::exp(x); }
inline double exponential2(double x) { return ::std::exp2(x); }
inline double logarithm(double x) { return ::std::log(x); }
inline double logarithm2(double x) { return ::std::log2(x); }
// The C library's function for double has an error of up to two ulp.
inline double hyperbolic_tangent(double x) {
  return in_extended_precision([](auto wide) { return ::std::tanh(wide); }, x);
}

} // namespace cuda::tiles::__prim::cpu
