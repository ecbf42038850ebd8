// Element by element: arithmetic rounds as IEEE 754 says, integers wrap, and nothing traps.
#include "stand_in.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

namespace {
using namespace test;

template <class T, prim::binary_op Op, rounding_mode M = nearest, subnormals_rounding_mode S = keep>
lanes<T> binary(const lanes<T> &x, const lanes<T> &y) {
  return prim::binary<Op, M, S, T>(x, y);
}
template <class T, prim::unary_op Op> lanes<T> unary(const lanes<T> &x) {
  return prim::unary<Op, nearest, keep, T>(x);
}

float any_float(std::mt19937 &g) { return std::bit_cast<float>(unsigned(g())); }
float small_float(std::mt19937 &g) {
  return std::ldexp(float(int(g())) * 0x1p-31f, int(g() % 40) - 20);
}

// Half and bfloat16 conversions agree with the CUDA headers', for every code and for many floats.
TEST(Formats, HalfReadsEveryCode) {
  for (unsigned code = 0; code < 65536; code++) {
    const float want = __half2float(__ushort_as_half(static_cast<unsigned short>(code))),
                got = prim::cpu::half_format::read(code);
    EXPECT_TRUE(want == got || (std::isnan(want) && std::isnan(got))) << code;
    if (!std::isnan(want))
      EXPECT_EQ(std::signbit(want), std::signbit(got)) << code;
  }
}
TEST(Formats, HalfAndBfloat16RoundOnce) {
  std::mt19937 g(1);
  for (int i = 0; i < 300000; i++) {
    const float x = i % 2 ? any_float(g) : small_float(g);
    if (std::isnan(x))
      continue;
    EXPECT_EQ(prim::cpu::half_format::write(x), __half_as_ushort(__float2half_rn(x))) << x;
    EXPECT_EQ(prim::cpu::bfloat16_format::write(x), __bfloat16_as_ushort(__float2bfloat16_rn(x)))
        << x;
    const double d = double(x) * (1 + double(int(g())) * 0x1p-40);
    EXPECT_EQ(prim::cpu::half_format::write(d), __half_as_ushort(__double2half(d))) << d;
    EXPECT_EQ(prim::cpu::bfloat16_format::write(d), __bfloat16_as_ushort(__double2bfloat16(d)))
        << d;
  }
}
template <class Format> void every_fp8_code(__nv_fp8_interpretation_t kind) {
  for (unsigned code = 0; code < 256; code++) {
    const float want = __half2float(
                    __half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), kind))),
                got = Format::read(code);
    EXPECT_TRUE(want == got || (std::isnan(want) && std::isnan(got))) << code;
  }
  std::mt19937 g(2);
  for (int i = 0; i < 300000; i++) {
    const float x = i % 2 ? any_float(g) : small_float(g);
    if (std::isfinite(x))
      EXPECT_EQ(Format::write(x), __nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) << x;
  }
}
TEST(Formats, Fp8MatchesTheCudaHeader) {
  every_fp8_code<prim::cpu::e4m3_format>(__NV_E4M3);
  every_fp8_code<prim::cpu::e5m2_format>(__NV_E5M2);
}
// The scale format rounds up in magnitude and has no sign; codes of both are as CUDA's classes say.
template <class Format, class Class> void every_code_and_number(unsigned codes) {
  for (unsigned code = 0; code < codes; code++) {
    Class number;
    number.__x = static_cast<unsigned char>(code);
    const float want = float(number), got = Format::read(code);
    EXPECT_TRUE(want == got || (std::isnan(want) && std::isnan(got))) << code;
  }
  std::mt19937 g(2);
  const float specials[] = {0.f,         -0.f,  0.25f,     0.75f,      1.f,    1.25f,
                            2.5f,        5.f,   6.f,       7.f,        1e-45f, 0x1p-127f,
                            0x1.8p-127f, 3e38f, HUGE_VALF, -HUGE_VALF, NAN};
  for (int i = 0; i < 300000; i++) {
    const float x = i < 17 ? specials[i] : i % 2 ? any_float(g) : small_float(g);
    EXPECT_EQ(Format::write(x), Class(x).__x) << x;
    const double d = double(x) * (1 + double(int(g())) * 0x1p-40);
    EXPECT_EQ(Format::write(d), Class(d).__x) << d;
  }
}
TEST(Formats, ScalesAndFp4MatchTheCudaHeader) {
  every_code_and_number<prim::cpu::e8m0_format, __nv_fp8_e8m0>(256);
  every_code_and_number<prim::cpu::e2m1_format, __nv_fp4_e2m1>(16);
}

// The four precise modes equal the processor's own.
template <rounding_mode M, prim::binary_op Op, class E> void agrees_with_processor(int mode) {
  using T = tile<E, 64>;
  std::mt19937 g(3);
  for (int round = 0; round < 200; round++) {
    const auto x = from<T>([&](auto) { return round % 2 ? any_float(g) : small_float(g); });
    const auto y = from<T>([&](auto) { return round % 2 ? any_float(g) : small_float(g); });
    const auto r = binary<T, Op, M>(x, y);
    for (int i = 0; i < 64; i++) {
      std::fesetround(mode);
      volatile E a = x.v[i], b = y.v[i];
      volatile E want = Op == prim::binary_op::add   ? a + b
                        : Op == prim::binary_op::sub ? a - b
                        : Op == prim::binary_op::mul ? a * b
                                                     : a / b;
      std::fesetround(FE_TONEAREST);
      if (std::isnan(E(want)))
        EXPECT_TRUE(std::isnan(r.v[i]));
      else
        EXPECT_EQ(r.v[i], E(want)) << E(a) << " " << E(b);
    }
  }
}
template <prim::binary_op Op, class E> void every_mode() {
  agrees_with_processor<rounding_mode::round_ties_to_even, Op, E>(FE_TONEAREST);
  agrees_with_processor<rounding_mode::round_toward_zero, Op, E>(FE_TOWARDZERO);
  agrees_with_processor<rounding_mode::round_toward_negative, Op, E>(FE_DOWNWARD);
  agrees_with_processor<rounding_mode::round_toward_positive, Op, E>(FE_UPWARD);
}
TEST(Rounding, EveryModeOfEveryOperation) {
  every_mode<prim::binary_op::add, float>();
  every_mode<prim::binary_op::sub, float>();
  every_mode<prim::binary_op::mul, float>();
  every_mode<prim::binary_op::div, float>();
  every_mode<prim::binary_op::add, double>();
  every_mode<prim::binary_op::mul, double>();
}
TEST(Rounding, HalfGoesThroughFloat) {
  using T = tile<__half, 2>;
  const auto x = of<T>(0x6800, 0xe800),
             one = of<T>(0x3c00, 0xbc00); // 2048 and 1, and their negatives
  EXPECT_EQ((binary<T, prim::binary_op::add, rounding_mode::round_toward_positive>(x, one).v[0]),
            0x6801);
  EXPECT_EQ((binary<T, prim::binary_op::add, rounding_mode::round_toward_positive>(x, one).v[1]),
            0xe800);
  EXPECT_EQ((binary<T, prim::binary_op::add, rounding_mode::round_toward_negative>(x, one).v[1]),
            0xe801);
  EXPECT_EQ((binary<T, prim::binary_op::add>(x, one).v[0]), 0x6800);
}
TEST(Rounding, FmaOfHalfRoundsOnce) {
  using T = tile<__half, 1>;
  std::mt19937 g(4);
  for (int i = 0; i < 200000; i++) {
    const unsigned short a = g() & 0xfbff, b = g() & 0xfbff, c = g() & 0xfbff;
    const float x = prim::cpu::half_format::read(a), y = prim::cpu::half_format::read(b),
                z = prim::cpu::half_format::read(c);
    const long double exact =
        static_cast<long double>(x) * y + z; // 64 bits hold it where the exponents are near
    if (std::fabs(std::log2(std::fabs(double(x) * y)) - std::log2(std::fabs(z))) > 30)
      continue;
    const double d = double(exact);
    if (static_cast<long double>(d) != exact)
      continue;
    EXPECT_EQ((prim::fma<nearest, keep, T>({{a}}, {{b}}, {{c}}).v[0]),
              prim::cpu::half_format::write(d));
  }
}
TEST(Rounding, SubnormalsAreFlushedWithTheirSign) {
  using T = tile<float, 4>;
  const auto a = of<T>(0x1p-140f, -0x1p-140f, 0x1.1p-126f, 1.f),
             least = of<T>(0x1p-126f, 0x1p-126f, 0x1p-126f, 0x1p-126f);
  const auto sum = binary<T, prim::binary_op::add, nearest, flush>(a, a),
             difference = binary<T, prim::binary_op::sub, nearest, flush>(a, least);
  EXPECT_EQ(sum.v[0], 0);
  EXPECT_TRUE(std::signbit(sum.v[1]));
  EXPECT_EQ(sum.v[3], 2);
  EXPECT_EQ(difference.v[2], 0);
}

// Division by zero gives a value, not a signal.
TEST(Integers, DivisionNeverTraps) {
  using T = tile<int, 4>;
  const auto x = of<T>(7, INT_MIN, -7, 5), y = of<T>(0, -1, 2, -1);
  const auto q = binary<T, prim::binary_op::div>(x, y), r = binary<T, prim::binary_op::rem>(x, y);
  EXPECT_EQ(q.v[0], -1);
  EXPECT_EQ(q.v[1], INT_MIN);
  EXPECT_EQ(q.v[2], -3);
  EXPECT_EQ(q.v[3], -5);
  EXPECT_EQ(r.v[0], 7);
  EXPECT_EQ(r.v[1], 0);
  EXPECT_EQ(r.v[2], -1);
}
TEST(Integers, FloorAndCeilingOfEverySign) {
  using T = tile<int, 8>;
  const auto x = of<T>(7, -7, 7, -7, 6, -6, 0, 1), y = of<T>(2, 2, -2, -2, 3, 3, -4, 100);
  const auto f = binary<T, prim::binary_op::floordiv>(x, y),
             c = binary<T, prim::binary_op::ceildiv>(x, y);
  const int floors[] = {3, -4, -4, 3, 2, -2, 0, 0}, ceilings[] = {4, -3, -3, 4, 2, -2, 0, 1};
  for (int i = 0; i < 8; i++) {
    EXPECT_EQ(f.v[i], floors[i]);
    EXPECT_EQ(c.v[i], ceilings[i]);
  }
}
TEST(Integers, NarrowOnesWrapInTheirWidth) {
  using T = tile<unsigned short, 1>;
  EXPECT_EQ((binary<T, prim::binary_op::mul>(of<T>(65535), of<T>(65535)).v[0]), 1);
  EXPECT_EQ((binary<T, prim::binary_op::mulhi>(of<T>(60000), of<T>(50000)).v[0]), 45776);
  using S = tile<signed char, 1>;
  EXPECT_EQ((binary<S, prim::binary_op::add>(of<S>(127), of<S>(1)).v[0]), -128);
  EXPECT_EQ((binary<S, prim::binary_op::mulhi>(of<S>(-1), of<S>(-1)).v[0]), -2);
}
TEST(Integers, ShiftsPastTheWidth) {
  using T = tile<int, 2>;
  EXPECT_EQ((binary<T, prim::binary_op::shl>(of<T>(1, 3), of<T>(32, 1)).v[0]), 0);
  EXPECT_EQ((binary<T, prim::binary_op::shl>(of<T>(1, 3), of<T>(32, 1)).v[1]), 6);
  EXPECT_EQ((binary<T, prim::binary_op::shr>(of<T>(-8, -8), of<T>(40, 1)).v[0]), -1);
  using U = tile<unsigned, 1>;
  EXPECT_EQ((binary<U, prim::binary_op::shr>(of<U>(-8), of<U>(40)).v[0]), 0u);
}
TEST(Integers, BoolIsOneBit) {
  using T = tile<bool, 2>;
  EXPECT_EQ((binary<T, prim::binary_op::add>(of<T>(1, 1), of<T>(1, 0)).v[0]), 0);
  EXPECT_EQ((unary<T, prim::unary_op::bit_not>(of<T>(1, 0)).v[1]), 1);
  EXPECT_EQ((unary<T, prim::unary_op::neg>(of<T>(1, 0)).v[0]), 1);
}

// A repeated scalar is an operand like the tile that it stands for.
template <class T, prim::binary_op Op, rounding_mode M = nearest, subnormals_rounding_mode S = keep>
void same_for_uniform(const lanes<T> &x, prim::lane_t<T> scalar) {
  const prim::uniform<T> one{{scalar}};
  const lanes<T> all = prim::splat<T>(scalar), left = prim::binary<Op, M, S, T>(one, x),
                 right = prim::binary<Op, M, S, T>(x, one),
                 both = prim::binary<Op, M, S, T>(one, one), by_left = binary<T, Op, M, S>(all, x),
                 by_right = binary<T, Op, M, S>(x, all), by_both = binary<T, Op, M, S>(all, all);
  EXPECT_EQ(std::memcmp(&left, &by_left, sizeof left), 0);
  EXPECT_EQ(std::memcmp(&right, &by_right, sizeof right), 0);
  EXPECT_EQ(std::memcmp(&both, &by_both, sizeof both), 0);
}
TEST(Uniform, StandsForATile) {
  using F = tile<float, 64>;
  using I = tile<int, 64>;
  using M = tile<bool, 64>;
  using P = tile<short *, 64>;
  std::mt19937 g(8);
  const auto x = from<F>([&](auto) { return small_float(g); });
  const auto n = from<I>([&](auto) { return int(g()); });
  const auto up = rounding_mode::round_toward_positive;
  for (const float scalar : {3.f, -0.f, 0x1p-130f}) {
    same_for_uniform<F, prim::binary_op::sub>(x, scalar);
    same_for_uniform<F, prim::binary_op::div, up>(x, scalar);
    same_for_uniform<F, prim::binary_op::mul, nearest, flush>(x, scalar);
    same_for_uniform<F, prim::binary_op::max>(x, scalar);
    same_for_uniform<F, prim::binary_op::pow>(x, scalar);
    const prim::uniform<F> one{{scalar}};
    const auto all = prim::splat<F>(scalar);
    const auto below = prim::compare<prim::compare_op::lt, M, F>(one, x),
               wanted = prim::compare<prim::compare_op::lt, M, F>(all, x);
    EXPECT_EQ(std::memcmp(&below, &wanted, sizeof below), 0);
    const auto sum = prim::fma<nearest, keep, F>(x, one, one),
               other = prim::fma<nearest, keep, F>(x, all, all),
               higher = prim::fma<up, keep, F>(one, one, x),
               highest = prim::fma<up, keep, F>(all, all, x);
    EXPECT_EQ(std::memcmp(&sum, &other, sizeof sum), 0);
    EXPECT_EQ(std::memcmp(&higher, &highest, sizeof higher), 0);
  }
  for (const int scalar : {7, 0, -1}) {
    same_for_uniform<I, prim::binary_op::sub>(n, scalar);
    same_for_uniform<I, prim::binary_op::floordiv>(n, scalar);
    same_for_uniform<I, prim::binary_op::shr>(n, scalar);
  }
  const auto moved = prim::offset<P, I>(prim::uniform<P>{{1000}}, n);
  for (int i = 0; i < 64; i++)
    EXPECT_EQ(moved.v[i], 1000 + 2 * static_cast<unsigned long long>(n.v[i]));
  const lanes<F> repeated = prim::uniform<F>{{2.f}};
  EXPECT_EQ(repeated.v[63], 2);
}

TEST(Select, TakesAnElementOfEither) {
  using F = tile<float, 64>;
  using M = tile<bool, 64>;
  const auto r = prim::select<F, M>(from<M>([](auto i) { return i % 3 == 0; }),
                                    from<F>([](auto i) { return float(i); }),
                                    from<F>([](auto i) { return -float(i); }));
  for (int i = 0; i < 64; i++)
    EXPECT_EQ(r.v[i], i % 3 == 0 ? i : -i);
}

TEST(MinMax, NanLosesUnlessPropagated) {
  using T = tile<float, 4>;
  const auto x = of<T>(NAN, 1.f, NAN, -0.f), y = of<T>(2.f, NAN, NAN, 0.f);
  const auto least = binary<T, prim::binary_op::min>(x, y),
             greatest = binary<T, prim::binary_op::max>(x, y),
             strict = binary<T, prim::binary_op::max_nan>(x, y);
  EXPECT_EQ(least.v[0], 2);
  EXPECT_EQ(greatest.v[1], 1);
  EXPECT_TRUE(std::isnan(least.v[2]));
  EXPECT_TRUE(std::signbit(least.v[3]));
  EXPECT_FALSE(std::signbit(greatest.v[3]));
  EXPECT_TRUE(std::isnan(strict.v[0]) && std::isnan(strict.v[1]));
}

// Conversions: truncation toward zero, saturation, one rounding.
TEST(Cast, FloatToIntegerSaturates) {
  using F = tile<float, 8>;
  const auto x = of<F>(3e9f, -3e9f, -128.9f, 1.99f, 300.f, INFINITY, NAN, -0.5f);
  const auto i = prim::cast<tile<int, 8>, F, nearest>(x);
  const auto c = prim::cast<tile<signed char, 8>, F, nearest>(x);
  const auto u = prim::cast<tile<unsigned, 8>, F, nearest>(x);
  const int ints[] = {INT_MAX, INT_MIN, -128, 1, 300, INT_MAX, 0, 0},
            chars[] = {127, -128, -128, 1, 127, 127, 0, 0};
  for (int k = 0; k < 8; k++) {
    EXPECT_EQ(i.v[k], ints[k]);
    EXPECT_EQ(c.v[k], chars[k]);
  }
  EXPECT_EQ(u.v[0], 3000000000u);
  EXPECT_EQ(u.v[1], 0u);
}
TEST(Cast, WideIntegersRoundOnce) {
  using L = tile<long long, 2>;
  // One past the middle of two neighbours of 2^61 in bfloat16: float would lose the one and then
  // round to even.
  const auto r = prim::cast<tile<__nv_bfloat16, 2>, L, nearest>(
      of<L>((1ll << 61) + (1ll << 53) + 1, -((1ll << 61) + (1ll << 53) + 1)));
  EXPECT_EQ(r.v[0], 0x5e01);
  EXPECT_EQ(r.v[1], 0xde01);
}
TEST(Cast, DirectedModes) {
  using D = tile<double, 2>;
  const auto x = of<D>(1 + 0x1p-40, -1 - 0x1p-40);
  EXPECT_EQ((prim::cast<tile<float, 2>, D, rounding_mode::round_toward_positive>(x).v[0]),
            1 + 0x1p-23f);
  EXPECT_EQ((prim::cast<tile<float, 2>, D, rounding_mode::round_toward_positive>(x).v[1]), -1);
  EXPECT_EQ((prim::cast<tile<float, 2>, D, rounding_mode::round_toward_negative>(x).v[1]),
            -1 - 0x1p-23f);
  EXPECT_EQ(
      (prim::cast<tile<__half, 2>, D, rounding_mode::round_toward_zero>(of<D>(1e9, 0x1p-30)).v[0]),
      0x7bff);
}
TEST(Cast, BoolIsANonZeroTest) {
  using F = tile<float, 4>;
  const auto b = prim::cast<tile<bool, 4>, F, nearest>(of<F>(0.f, -0.f, 1e-30f, 2.f));
  EXPECT_EQ(b.v[0] + b.v[1], 0);
  EXPECT_EQ(b.v[2] + b.v[3], 2);
}

// The functions of our own stay within two units in the last place and agree on special values.
template <prim::unary_op Op> void near_library(double (*want)(double), float low, float high) {
  using T = tile<float, 1024>;
  std::mt19937 g(5);
  for (int round = 0; round < 200; round++) {
    const auto x = from<T>([&](auto) { return low + (high - low) * (float(g()) * 0x1p-32f); });
    const auto y = unary<T, Op>(x);
    for (int i = 0; i < 1024; i++) {
      const double exact = want(x.v[i]);
      const double unit = std::fmax(std::ldexp(1., std::ilogb(exact) - 23), 0x1p-149);
      ASSERT_LE(std::fabs(y.v[i] - exact), 2 * unit) << x.v[i];
    }
  }
}
TEST(Functions, CloseToTheLibrary) {
  near_library<prim::unary_op::exp>(std::exp, -103, 88.7f);
  near_library<prim::unary_op::exp>(std::exp, -1, 1);
  near_library<prim::unary_op::exp2>(std::exp2, -148, 127.9f);
  near_library<prim::unary_op::log>(std::log, 1e-38f, 1e38f);
  near_library<prim::unary_op::log>(std::log, 0.5f, 2);
  near_library<prim::unary_op::log>(std::log, 1e-45f, 1e-38f);
  near_library<prim::unary_op::log2>(std::log2, 0.5f, 2);
  near_library<prim::unary_op::log2>(std::log2, 1e-30f, 1e30f);
  near_library<prim::unary_op::tanh>(std::tanh, -10, 10);
}
// The same for numbers of every size and kind, results that are subnormal among them.
template <prim::unary_op Op> void near_library_everywhere(double (*want)(double)) {
  using T = tile<float, 4096>;
  for (unsigned long long code = 0; code < 1ull << 32; code += 4096 * 1021ull) {
    const auto x = from<T>([&](auto i) { return std::bit_cast<float>(unsigned(code + 1021 * i)); });
    const auto y = unary<T, Op>(x);
    for (int i = 0; i < 4096; i++) {
      const double exact = want(x.v[i]);
      if (std::isnan(exact))
        ASSERT_TRUE(std::isnan(y.v[i])) << x.v[i];
      else if (exact == 0 || std::isinf(float(exact)))
        ASSERT_EQ(std::bit_cast<unsigned>(y.v[i]), std::bit_cast<unsigned>(float(exact))) << x.v[i];
      else
        ASSERT_LE(std::fabs(y.v[i] - exact),
                  2 * std::fmax(std::ldexp(1., std::ilogb(exact) - 23), 0x1p-149))
            << x.v[i];
    }
  }
}
TEST(Functions, CloseToTheLibraryEverywhere) {
  near_library_everywhere<prim::unary_op::exp>(std::exp);
  near_library_everywhere<prim::unary_op::exp2>(std::exp2);
  near_library_everywhere<prim::unary_op::log>(std::log);
  near_library_everywhere<prim::unary_op::log2>(std::log2);
  near_library_everywhere<prim::unary_op::tanh>(std::tanh);
}
TEST(Functions, RootsAreRoundedCorrectly) {
  using T = tile<float, 4096>;
  for (unsigned long long code = 0; code < 1ull << 32; code += 4096 * 1021ull) {
    const auto x = from<T>([&](auto i) { return std::bit_cast<float>(unsigned(code + 1021 * i)); });
    const auto y = unary<T, prim::unary_op::sqrt>(x), z = unary<T, prim::unary_op::rsqrt>(x);
    for (int i = 0; i < 4096; i++) {
      const float exact = float(std::sqrt(double(x.v[i])));
      if (std::isnan(exact)) {
        ASSERT_TRUE(std::isnan(y.v[i]) && std::isnan(z.v[i])) << x.v[i];
        continue;
      }
      ASSERT_EQ(std::bit_cast<unsigned>(y.v[i]), std::bit_cast<unsigned>(exact)) << x.v[i];
      ASSERT_EQ(std::bit_cast<unsigned>(z.v[i]), std::bit_cast<unsigned>(1 / exact)) << x.v[i];
    }
  }
}
TEST(Functions, SpecialValues) {
  using T = tile<float, 8>;
  const auto x = of<T>(0.f, -0.f, INFINITY, -INFINITY, NAN, -1.f, 100.f, -200.f);
  const auto e = unary<T, prim::unary_op::exp>(x), l = unary<T, prim::unary_op::log>(x),
             t = unary<T, prim::unary_op::tanh>(x);
  EXPECT_EQ(e.v[0], 1);
  EXPECT_EQ(e.v[2], INFINITY);
  EXPECT_EQ(e.v[3], 0);
  EXPECT_TRUE(std::isnan(e.v[4]));
  EXPECT_EQ(e.v[6], INFINITY);
  EXPECT_EQ(e.v[7], 0);
  const auto two = unary<T, prim::unary_op::exp2>(x);
  const float powers[] = {1, 1, INFINITY, 0, NAN, 0.5f, 0x1p100f, 0};
  for (int i = 0; i < 8; i++)
    EXPECT_TRUE(two.v[i] == powers[i] || (std::isnan(two.v[i]) && std::isnan(powers[i]))) << i;
  EXPECT_EQ(l.v[0], -INFINITY);
  EXPECT_EQ(l.v[2], INFINITY);
  EXPECT_TRUE(std::isnan(l.v[3]) && std::isnan(l.v[4]) && std::isnan(l.v[5]));
  EXPECT_EQ(t.v[2], 1);
  EXPECT_EQ(t.v[3], -1);
  EXPECT_TRUE(std::signbit(t.v[1]) && std::isnan(t.v[4]));
}

} // namespace
