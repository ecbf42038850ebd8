// One element at a time: wrapping, roundings, conversions at their edges, NaN and signed zero.
// Fragments are the same functions, register by register.
#include "laws.h"

#include <climits>
#include <cmath>

namespace tessera {
namespace {

constexpr float inf = HUGE_VALF;
const float nan = std::nanf("");

TEST(elementwise, fragments_are_scalars_side_by_side) {
  using L = layout<shape<64>, registers<1>, lanes<2, 4, 8, 16, 32>, warps<>>;
  in_block_of<L>([] {
    const auto x = make<L>([](int e) { return pattern(e) + 20; });
    const auto y = splat<L>(7);
    expect_elements(x * y - x % y,
                    [](int e) { return (pattern(e) + 20) * 7 - (pattern(e) + 20) % 7; });
    expect_elements(select(x > y, x, y), [](int e) { return std::max(pattern(e) + 20, 7); });
    expect_elements(cast<float>(cast<bf16>(cast<float>(x)) + cast<bf16>(y)),
                    [](int e) { return pattern(e) + 27; });
    expect_elements(fma(cast<float>(x), cast<float>(y), splat<L>(0.5f)),
                    [](int e) { return (pattern(e) + 20) * 7 + 0.5; });
  });
}

TEST(elementwise, integers_wrap) {
  EXPECT_EQ(add(INT_MAX, 1), INT_MIN);
  EXPECT_EQ(mul<rounding::nearest>(static_cast<short>(300), static_cast<short>(300)),
            static_cast<short>(90000));
  EXPECT_EQ(neg(INT_MIN), INT_MIN);
  EXPECT_EQ(div<rounding::nearest>(INT_MIN, -1), INT_MIN);
  EXPECT_EQ(rem(LLONG_MIN, -1LL), 0);
  EXPECT_EQ(mulhi(LLONG_MIN, -1LL), LLONG_MAX);
  EXPECT_EQ(mulhi(-1, -1), -2);
}

TEST(elementwise, unsigned_readings) {
  EXPECT_EQ(div_unsigned(-2, 2), INT_MAX);
  EXPECT_TRUE(lt_unsigned(1, -1));
  EXPECT_EQ(shr_unsigned(static_cast<signed char>(-1), static_cast<signed char>(4)), 15);
  EXPECT_EQ(max_unsigned(-1LL, 5LL), -1LL);
  EXPECT_EQ(ceildiv_unsigned(-1, 2), INT_MIN);
}

TEST(elementwise, division_towards_both_sides) {
  for (int a : {-7, -6, 6, 7})
    for (int b : {-3, 3}) {
      EXPECT_EQ(floordiv(a, b), static_cast<int>(std::floor(a / static_cast<double>(b))));
      EXPECT_EQ(ceildiv(a, b), static_cast<int>(std::ceil(a / static_cast<double>(b))));
    }
}

TEST(elementwise, rounding_directions) {
  const float a = 1.0f, b = 3.0f, third = 1.0f / 3.0f;
  EXPECT_LT((div<rounding::toward_negative>(a, b)), (div<rounding::toward_positive>(a, b)));
  EXPECT_EQ((div<rounding::toward_zero>(-a, b)), -(div<rounding::toward_zero>(a, b)));
  EXPECT_EQ((add<rounding::toward_positive>(1.0f, 1e-20f)), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ((add<rounding::toward_negative>(1.0, -1e-30)), std::nextafter(1.0, 0.0));
  EXPECT_EQ((fma<rounding::nearest>(third, b, -1.0f)), std::fma(third, b, -1.0f));
  EXPECT_EQ(cast<float>(mul<rounding::toward_positive>(bf16(1.0078125f), bf16(1.0078125f))),
            1.0234375f);
}

TEST(elementwise, subnormals_are_flushed_on_request) {
  const float small = 1e-40f;
  EXPECT_EQ(add<rounding::nearest>(small, 0.0f), small);
  EXPECT_EQ(add<rounding::nearest>(small, 0.0f, flush_subnormals), 0.0f);
  EXPECT_EQ(mul(-small, 1.0f, flush_subnormals), 0.0f);
}

TEST(elementwise, nan_and_signed_zero) {
  EXPECT_EQ(tessera::max(nan, 1.0f), 1.0f);
  EXPECT_EQ(tessera::min(2.0, std::nan("")), 2.0);
  EXPECT_TRUE(isnan(tessera::max_nan(nan, 1.0f)));
  EXPECT_FALSE(std::signbit(tessera::max(-0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(tessera::min(0.0f, -0.0f)));
  EXPECT_TRUE(isinf(half(inf)));
  EXPECT_TRUE(isinf(-static_cast<double>(inf)));
  EXPECT_FALSE(isinf(1e300));
}

TEST(cast, to_integers) {
  EXPECT_EQ(cast<int>(-1.7f), -1);
  EXPECT_EQ((cast<int, rounding::toward_negative>(-1.2f)), -2);
  EXPECT_EQ((cast<int, rounding::nearest>(2.5)), 2);
  EXPECT_EQ(cast<int>(1e20f), INT_MAX);
  EXPECT_EQ(cast<long long>(nan), 0);
  EXPECT_EQ(cast_to_unsigned<int>(4e9f), static_cast<int>(4000000000u));
  EXPECT_EQ(cast<signed char>(half(-5.5f)), -5);
  EXPECT_TRUE(cast<bool>(0.5f));
}

TEST(cast, from_integers) {
  EXPECT_EQ(cast_unsigned<float>(-1), 4294967296.0f);
  EXPECT_EQ((cast<float, rounding::toward_zero>(INT_MAX)), 2147483520.0f);
  EXPECT_EQ(cast<double>(LLONG_MAX), 9223372036854775808.0);
  EXPECT_EQ(cast<float>(cast<half>(65504)), 65504.0f);
}

// 2^24 + 2^16 + 1 lies just above the middle of two bf16 numbers, and float would round it onto the
// middle.
TEST(cast, once_and_not_twice) {
  EXPECT_EQ(cast<float>(cast<bf16>((1 << 24) + (1 << 16) + 1)),
            static_cast<float>((1 << 24) + (1 << 17)));
  EXPECT_EQ(cast<float>(cast<bf16>(1.0 + 0x1p-8 + 0x1p-40)), 1.0f + 0x1p-7f);
  EXPECT_EQ(cast<float>(cast<half>(-1.0 - 0x1p-11 - 0x1p-40)), -1.0f - 0x1p-10f);
}

TEST(cast, small_floats) {
  EXPECT_EQ(cast<float>(cast<fp8_e4m3>(1.0625f)), 1.0f);
  EXPECT_EQ(cast<float>(cast<fp8_e5m2>(half(3.5f))), 3.5f);
  EXPECT_EQ(cast<float>(cast<tf32>(1.0f + 0x1p-11f)), 1.0f);
  EXPECT_EQ((cast<float>(cast<bf16, rounding::toward_zero>(1.999f))), 1.9921875f);
}

TEST(bitcast, keeps_bits) {
  EXPECT_EQ(bitcast<int>(1.0f), 0x3f800000);
  EXPECT_EQ(cast<float>(bitcast<bf16>(static_cast<short>(0x3f80))), 1.0f);
}

} // namespace
} // namespace tessera
