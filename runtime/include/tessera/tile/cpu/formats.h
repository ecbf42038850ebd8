// Floating-point formats narrower than float, as bits: reading a code, and rounding a float or a
// double to a code.
//
// Everything is integer arithmetic without branches, so that a loop over an array of codes
// vectorises on any machine. Reading is exact; writing rounds once, to nearest with ties to even
// (except e8m0). Formats without infinities saturate.
#pragma once

#include <bit>

namespace cuda::tiles::__prim::cpu {

inline constexpr unsigned float_infinity = 0x7f800000u, float_sign = 0x80000000u;

inline unsigned bits_of(float x) { return ::std::bit_cast<unsigned>(x); }
inline unsigned long long bits_of(double x) { return ::std::bit_cast<unsigned long long>(x); }
inline float float_of(unsigned x) { return ::std::bit_cast<float>(x); }
inline double double_of(unsigned long long x) { return ::std::bit_cast<double>(x); }

constexpr float power_of_two(int e) { return ::std::bit_cast<float>(unsigned(e + 127) << 23); }

// The float next to x, rounded to odd: rounding it again to a narrower format gives the same as
// rounding x.
inline float round_to_odd(double x) {
  const float nearest = float(x);
  const unsigned bits = bits_of(nearest), even = ~bits & 1;
  const bool inexact = double(nearest) != x,
             too_big = __builtin_fabs(double(nearest)) > __builtin_fabs(x);
  return float_of(inexact ? (too_big ? bits - even : bits + even) : bits);
}
inline float round_to_odd(float x) { return x; }

// Codes without sign. Largest: the maximum finite one; Overflow: the result for a larger number;
// Nan: a NaN; Infinity: is there one?
template <int Exponent, int Mantissa, unsigned Largest, unsigned Overflow, unsigned Nan,
          bool Infinity>
struct minifloat {
  static constexpr int bias = (1 << (Exponent - 1)) - 1, dropped = 23 - Mantissa;
  static constexpr unsigned sign = 1u << (Exponent + Mantissa);

  static float read(unsigned code) {
    const unsigned magnitude = code & (sign - 1);
    const unsigned scaled = bits_of(float_of(magnitude << dropped) * power_of_two(127 - bias));
    const unsigned special = Infinity ? scaled | float_infinity : 0x7fffffffu;
    const unsigned finite_or_not = magnitude > Largest ? special : scaled;
    return float_of(finite_or_not | (code & sign) << (31 - Exponent - Mantissa));
  }

  static unsigned write(float x) {
    const unsigned bits = bits_of(x), magnitude = bits & ~float_sign;
    const unsigned rounded =
        (magnitude + ((1u << (dropped - 1)) - 1) + (magnitude >> dropped & 1)) >> dropped;
    const unsigned normal = rounded - (unsigned(127 - bias) << Mantissa);
    // Adding a number whose ulp is the smallest step of the format rounds a subnormal.
    constexpr float step = power_of_two(1 - bias - Mantissa + 23);
    const unsigned subnormal = bits_of(float_of(magnitude) + step) - bits_of(step);
    const unsigned nearest = magnitude < bits_of(power_of_two(1 - bias)) ? subnormal : normal;
    const unsigned finite = nearest > Largest ? Overflow : nearest;
    const unsigned negative = bits >> 31 << (Exponent + Mantissa);
    // If the format has no NaN, a NaN becomes the largest number.
    return magnitude > float_infinity ? Nan | (Nan > Largest ? negative : 0) : finite | negative;
  }
  static unsigned write(double x) { return write(round_to_odd(x)); }
};

using half_format = minifloat<5, 10, 0x7bff, 0x7c00, 0x7fff, true>;
using e5m2_format = minifloat<5, 2, 0x7b, 0x7b, 0x7f, true>;
using e4m3_format = minifloat<4, 3, 0x7e, 0x7e, 0x7f, false>;
using e2m1_format = minifloat<2, 1, 0x7, 0x7, 0x7, false>;

// The upper half of a float.
struct bfloat16_format {
  static float read(unsigned code) { return float_of(code << 16); }
  static unsigned write(float x) {
    const unsigned bits = bits_of(x);
    return x != x ? 0x7fffu : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  static unsigned write(double x) { return write(round_to_odd(x)); }
};

// A float with ten mantissa bits, stored as a float.
struct tf32_format {
  static float read(unsigned code) { return float_of(code); }
  static unsigned write(float x) {
    const unsigned bits = bits_of(x);
    return (bits & ~float_sign) > float_infinity ? bits
                                                 : (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
  }
  static unsigned write(double x) { return write(round_to_odd(x)); }
};

// A power of two, 2^(code - 127), and one NaN. Unlike the other formats it rounds up and ignores
// the sign, like CUDA's conversion and NVIDIA's tile compiler: a scale must not be too small.
struct e8m0_format {
  static float read(unsigned code) {
    return float_of(code == 0xff ? 0x7fffffffu : code == 0 ? 0x00400000u : code << 23);
  }
  static unsigned write(float x) {
    const unsigned magnitude = bits_of(x) & ~float_sign;
    const unsigned rounded = magnitude <= bits_of(0x1p-127f) ? 0 : (magnitude + 0x7fffffu) >> 23;
    return magnitude > float_infinity ? 0xffu : rounded > 0xfe ? 0xfeu : rounded;
  }
  static unsigned write(double x) { return write(round_to_odd(x)); }
};

} // namespace cuda::tiles::__prim::cpu
