// Arithmetic that C++ cannot express: explicit rounding, flushed subnormals, approximations,
// conversions with a direction. GPU bodies; the host's are in numeric_host.cuh. Templates take the
// direction R (never approximate or full) and whether subnormals are flushed.
#pragma once

#include "../types.cuh"

namespace tessera::arch {

#define TESSERA_ASM_1(OP, TYPE, C)                                                                 \
  {                                                                                                \
    TYPE d;                                                                                        \
    asm(OP " %0, %1;" : "=" C(d) : C(a));                                                          \
    return d;                                                                                      \
  }
#define TESSERA_ASM_2(OP, TYPE, C)                                                                 \
  {                                                                                                \
    TYPE d;                                                                                        \
    asm(OP " %0, %1, %2;" : "=" C(d) : C(a), C(b));                                                \
    return d;                                                                                      \
  }
#define TESSERA_ASM_3(OP, TYPE, C)                                                                 \
  {                                                                                                \
    TYPE d;                                                                                        \
    asm(OP " %0, %1, %2, %3;" : "=" C(d) : C(a), C(b), C(c));                                      \
    return d;                                                                                      \
  }

// One function for float (with and without flushing) and one for double, each in four directions.
#define TESSERA_ROUNDED(NAME, PTX, ARITY, PARAMETERS_F, PARAMETERS_D)                              \
  template <rounding R, bool Flush> TESSERA_DEVICE float NAME PARAMETERS_F {                       \
    if constexpr (Flush) {                                                                         \
      if constexpr (R == rounding::toward_zero)                                                    \
        TESSERA_ASM_##ARITY(PTX ".rz.ftz.f32", float,                                              \
                            "f") else if constexpr (R == rounding::toward_negative)                \
            TESSERA_ASM_##ARITY(PTX ".rm.ftz.f32", float,                                          \
                                "f") else if constexpr (R == rounding::toward_positive)            \
                TESSERA_ASM_##ARITY(PTX ".rp.ftz.f32", float,                                      \
                                    "f") else TESSERA_ASM_##ARITY(PTX ".rn.ftz.f32", float, "f")   \
    } else {                                                                                       \
      if constexpr (R == rounding::toward_zero)                                                    \
        TESSERA_ASM_##ARITY(PTX ".rz.f32", float,                                                  \
                            "f") else if constexpr (R == rounding::toward_negative)                \
            TESSERA_ASM_##ARITY(PTX ".rm.f32", float,                                              \
                                "f") else if constexpr (R == rounding::toward_positive)            \
                TESSERA_ASM_##ARITY(PTX ".rp.f32", float,                                          \
                                    "f") else TESSERA_ASM_##ARITY(PTX ".rn.f32", float, "f")       \
    }                                                                                              \
  }                                                                                                \
  template <rounding R> TESSERA_DEVICE double NAME PARAMETERS_D {                                  \
    if constexpr (R == rounding::toward_zero)                                                      \
      TESSERA_ASM_##ARITY(PTX ".rz.f64", double,                                                   \
                          "d") else if constexpr (R == rounding::toward_negative)                  \
          TESSERA_ASM_##ARITY(PTX ".rm.f64", double,                                               \
                              "d") else if constexpr (R == rounding::toward_positive)              \
              TESSERA_ASM_##ARITY(PTX ".rp.f64", double,                                           \
                                  "d") else TESSERA_ASM_##ARITY(PTX ".rn.f64", double, "d")        \
  }

TESSERA_ROUNDED(add, "add", 2, (float a, float b), (double a, double b))
TESSERA_ROUNDED(sub, "sub", 2, (float a, float b), (double a, double b))
TESSERA_ROUNDED(mul, "mul", 2, (float a, float b), (double a, double b))
TESSERA_ROUNDED(div, "div", 2, (float a, float b), (double a, double b))
TESSERA_ROUNDED(fma, "fma", 3, (float a, float b, float c), (double a, double b, double c))
TESSERA_ROUNDED(sqrt, "sqrt", 1, (float a), (double a))
#undef TESSERA_ROUNDED

// a / b, correctly rounded, by the steps of div.rn after its test that all of them stay within the
// normal numbers. Here b > 0, and a zero keeps its sign.
TESSERA_DEVICE float plain_quotient(float a, float b) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(b));
  y = __fmaf_rn(y, __fmaf_rn(-b, y, 1.0f), y);
  const float q = __fmul_rn(a, y);
  return __fmaf_rn(-y, __fmaf_rn(b, q, -a), q);
}

// One rounding, to nearest; computing in float would round twice.
TESSERA_DEVICE half fma(half a, half b, half c) { return __hfma(a, b, c); }
TESSERA_DEVICE bf16 fma(bf16 a, bf16 b, bf16 c) { return __hfma(a, b, c); }

// The instruction with and without flushing.
#define TESSERA_FLUSHING(NAME, PTX, ARITY, PARAMETERS)                                             \
  template <bool Flush> TESSERA_DEVICE float NAME PARAMETERS {                                     \
    if constexpr (Flush)                                                                           \
      TESSERA_ASM_##ARITY(PTX ".ftz.f32", float, "f") else TESSERA_ASM_##ARITY(PTX ".f32", float,  \
                                                                               "f")                \
  }

TESSERA_FLUSHING(div_approximate, "div.approx", 2, (float a, float b))
TESSERA_FLUSHING(div_full, "div.full", 2, (float a, float b))
TESSERA_FLUSHING(sqrt_approximate, "sqrt.approx", 1, (float a))
TESSERA_FLUSHING(rsqrt_approximate, "rsqrt.approx", 1, (float a))
TESSERA_FLUSHING(exp2_approximate, "ex2.approx", 1, (float a))
TESSERA_FLUSHING(min, "min", 2, (float a, float b))
TESSERA_FLUSHING(max, "max", 2, (float a, float b))
TESSERA_FLUSHING(min_nan, "min.NaN", 2, (float a, float b))
TESSERA_FLUSHING(max_nan, "max.NaN", 2, (float a, float b))
#undef TESSERA_FLUSHING

TESSERA_DEVICE float tanh_approximate(float a)
    TESSERA_ASM_1("tanh.approx.f32", float, "f") TESSERA_DEVICE double tanh(double a) {
  return ::tanh(a);
}

#undef TESSERA_ASM_1
#undef TESSERA_ASM_2
#undef TESSERA_ASM_3

// A subnormal as the zero of its sign.
TESSERA_DEVICE float flush(float a) {
  float d;
  asm("add.ftz.f32 %0, %1, 0f80000000;" : "=f"(d) : "f"(a));
  return d;
}

TESSERA_DEVICE double min(double a, double b) { return ::fmin(a, b); }
TESSERA_DEVICE double max(double a, double b) { return ::fmax(a, b); }

// Integer division; the result for a divisor of 0 is undefined.
template <class T> TESSERA_DEVICE T quotient(T a, T b) { return static_cast<T>(a / b); }
template <class T> TESSERA_DEVICE T remainder(T a, T b) { return static_cast<T>(a % b); }

TESSERA_DEVICE unsigned mul_high(unsigned a, unsigned b) { return __umulhi(a, b); }
TESSERA_DEVICE unsigned long long mul_high(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}

// Where ptxas of CUDA 12.8 to 13.3 joins two maxima or minima of integers into one instruction
// (sm_90), it loses the sign of a negated operand: max(max(-a, -b), c) became max(max(-a, b), c).
// Two steps avoid the negated operand.
template <class T> TESSERA_DEVICE T negated(T a) {
#if __CUDA_ARCH__ >= 900 && CUDART_VERSION < 13040
  if constexpr (sizeof(T) == 4) {
    T d;
    asm("{ not.b32 %0, %1; add.u32 %0, %0, 1; }" : "=r"(d) : "r"(a));
    return d;
  } else if constexpr (sizeof(T) == 2) {
    T d;
    asm("{ not.b16 %0, %1; add.u16 %0, %0, 1; }" : "=h"(d) : "h"(a));
    return d;
  }
#endif
  return static_cast<T>(T(0) - a);
}

// ptxas of CUDA 13.0 assumes that the 16-bit magnitude is not negative: for -32768, abs.s16 and
// then cvt.s64.s16 give 32768; fixed in ptxas 13.5. This form is not recognised as a magnitude.
TESSERA_DEVICE short magnitude(short a) {
  short d;
  asm("{ .reg .s16 s; shr.s16 s, %1, 15; xor.b16 %0, %1, s; sub.s16 %0, %0, s; }"
      : "=h"(d)
      : "h"(a));
  return d;
}

// Where a branch implies that %ctaid.x (or another index of the block or the thread) is 0, ptxas of
// CUDA 13.0 takes `not` of it under a mask for 0: ~blockIdx.x & 63 became 0, and not 63. Subtracted
// from -1 it is right.
template <class T> TESSERA_DEVICE T complement(T a) {
#if CUDART_VERSION < 13050
  if constexpr (sizeof(T) == 4) {
    T d;
    asm("sub.s32 %0, -1, %1;" : "=r"(d) : "r"(a));
    return d;
  } else if constexpr (sizeof(T) == 2) {
    T d;
    asm("sub.s16 %0, -1, %1;" : "=h"(d) : "h"(a));
    return d;
  }
#endif
  return static_cast<T>(~a);
}

// The instruction gives the canonical NaN for every NaN, like NVIDIA's compiler for tiles. Where
// the bits of a C++ negation are read, compilers turn it into a change of the sign bit, which keeps
// the NaN's bits.
TESSERA_DEVICE float negated_float(float a) {
  float d;
  asm("neg.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
TESSERA_DEVICE double negated_float(double a) { return -a; }

// Conversions to a narrower float in direction R.
template <rounding R> TESSERA_DEVICE float to_float(double a) {
  return R == rounding::toward_zero       ? __double2float_rz(a)
         : R == rounding::toward_negative ? __double2float_rd(a)
         : R == rounding::toward_positive ? __double2float_ru(a)
                                          : __double2float_rn(a);
}

template <rounding R> TESSERA_DEVICE half to_half(float a) {
  return R == rounding::toward_zero       ? __float2half_rz(a)
         : R == rounding::toward_negative ? __float2half_rd(a)
         : R == rounding::toward_positive ? __float2half_ru(a)
                                          : __float2half_rn(a);
}

template <rounding R> TESSERA_DEVICE bf16 to_bf16(float a) {
  return R == rounding::toward_zero       ? __float2bfloat16_rz(a)
         : R == rounding::toward_negative ? __float2bfloat16_rd(a)
         : R == rounding::toward_positive ? __float2bfloat16_ru(a)
                                          : __float2bfloat16_rn(a);
}

// Two at once: one instruction, `low` in the lower half of the register.
TESSERA_DEVICE unsigned to_bf16_pair(float low, float high) {
  unsigned d;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
  return d;
}

TESSERA_DEVICE unsigned to_half_pair(float low, float high) {
  unsigned d;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
  return d;
}

// Four at once, x[0] in the lowest byte; finite values beyond the largest become that one. T =
// fp8_e4m3 or fp8_e5m2.
template <class T> TESSERA_DEVICE unsigned to_fp8_quad(const float *x) {
  unsigned d;
#if TESSERA_SM >= 890
#define TESSERA_FP8_QUAD(TYPE)                                                                     \
  asm("{ .reg .b16 low, high; cvt.rn.satfinite." TYPE "x2.f32 low, %2, %1; "                       \
      "cvt.rn.satfinite." TYPE "x2.f32 high, %4, %3; mov.b32 %0, {low, high}; }"                   \
      : "=r"(d)                                                                                    \
      : "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]))
  if constexpr (std::is_same_v<T, fp8_e4m3>)
    TESSERA_FP8_QUAD("e4m3");
  else
    TESSERA_FP8_QUAD("e5m2");
#undef TESSERA_FP8_QUAD
#else
  const T quad[4] = {T(x[0]), T(x[1]), T(x[2]), T(x[3])};
  memcpy(&d, quad, 4);
#endif
  return d;
}

// To nearest, ties to even, or toward zero.
template <rounding R> TESSERA_DEVICE float to_tf32(float a) {
#if TESSERA_SM >= 900
  unsigned d;
  if constexpr (R == rounding::toward_zero)
    asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(d) : "f"(a));
  else
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(d) : "f"(a));
  return __uint_as_float(d);
#else
  const unsigned bits = __float_as_uint(a);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return a;
  const unsigned half = R == rounding::toward_zero ? 0u : 0xfffu + (bits >> 13 & 1u);
  return __uint_as_float((bits + half) & ~0x1fffu);
#endif
}

// Integers to float in direction R. double represents every 32-bit integer.
#define TESSERA_FROM_INTEGER(TYPE, SHORT)                                                          \
  template <rounding R> TESSERA_DEVICE float to_float(TYPE a) {                                    \
    return R == rounding::toward_zero       ? __##SHORT##2float_rz(a)                              \
           : R == rounding::toward_negative ? __##SHORT##2float_rd(a)                              \
           : R == rounding::toward_positive ? __##SHORT##2float_ru(a)                              \
                                            : __##SHORT##2float_rn(a);                             \
  }
TESSERA_FROM_INTEGER(int, int)
TESSERA_FROM_INTEGER(unsigned, uint)
TESSERA_FROM_INTEGER(long long, ll)
TESSERA_FROM_INTEGER(unsigned long long, ull)
#undef TESSERA_FROM_INTEGER

#define TESSERA_FROM_WIDE_INTEGER(TYPE, SHORT)                                                     \
  template <rounding R> TESSERA_DEVICE double to_double(TYPE a) {                                  \
    return R == rounding::toward_zero       ? __##SHORT##2double_rz(a)                             \
           : R == rounding::toward_negative ? __##SHORT##2double_rd(a)                             \
           : R == rounding::toward_positive ? __##SHORT##2double_ru(a)                             \
                                            : __##SHORT##2double_rn(a);                            \
  }
TESSERA_FROM_WIDE_INTEGER(long long, ll)
TESSERA_FROM_WIDE_INTEGER(unsigned long long, ull)
#undef TESSERA_FROM_WIDE_INTEGER

// Floats to integers in direction R, saturating; NaN gives 0.
#define TESSERA_TO_INTEGER(TYPE, NAME, SHORT)                                                      \
  template <rounding R, class F> TESSERA_DEVICE TYPE NAME(F a) {                                   \
    if constexpr (std::is_same_v<F, double>)                                                       \
      return R == rounding::nearest           ? __double2##SHORT##_rn(a)                           \
             : R == rounding::toward_negative ? __double2##SHORT##_rd(a)                           \
             : R == rounding::toward_positive ? __double2##SHORT##_ru(a)                           \
                                              : __double2##SHORT##_rz(a);                          \
    else                                                                                           \
      return R == rounding::nearest           ? __float2##SHORT##_rn(a)                            \
             : R == rounding::toward_negative ? __float2##SHORT##_rd(a)                            \
             : R == rounding::toward_positive ? __float2##SHORT##_ru(a)                            \
                                              : __float2##SHORT##_rz(a);                           \
  }
TESSERA_TO_INTEGER(int, to_int, int)
TESSERA_TO_INTEGER(unsigned, to_uint, uint)
TESSERA_TO_INTEGER(long long, to_long, ll)
TESSERA_TO_INTEGER(unsigned long long, to_ulong, ull)
#undef TESSERA_TO_INTEGER

} // namespace tessera::arch
