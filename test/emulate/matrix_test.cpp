// The tensor core against loops over plain matrices, through the fragment layouts that the PTX
// manual draws.
#include "reports.h"

#include <tessera/arch/arch.cuh>

#include <bit>
#include <cstdint>
#include <set>

namespace tessera::emulate {
namespace {

// The corners of the manual's drawings.
static_assert(element_of_a16(0, 0, 0) == position{0, 0});
static_assert(element_of_a16(31, 3, 1) == position{15, 15});
static_assert(element_of_a16(5, 1, 0) == position{9, 2});
static_assert(element_of_a16(5, 2, 0) == position{1, 10});
static_assert(element_of_b16(5, 0, 1) == position{3, 1});
static_assert(element_of_b16(5, 1, 0) == position{10, 1});
static_assert(element_of_a32(5, 1) == position{9, 1});
static_assert(element_of_a32(5, 2) == position{1, 5});
static_assert(element_of_b32(5, 1) == position{5, 1});
static_assert(element_of_a8(31, 3, 3) == position{15, 31});
static_assert(element_of_a8(5, 1, 2) == position{9, 6});
static_assert(element_of_a8(5, 2, 0) == position{1, 20});
static_assert(element_of_b8(5, 0, 1) == position{5, 1});
static_assert(element_of_b8(5, 1, 3) == position{23, 1});
static_assert(element_of_accumulator(5, 2) == position{9, 2});
static_assert(element_of_ldmatrix(5, 1, false) == position{1, 3});
static_assert(element_of_ldmatrix(5, 1, true) == position{3, 1});

// Each element of a matrix is in exactly one place.
TEST(matrix, layouts_are_bijections) {
  auto count = [](int registers, int parts, auto element) {
    std::set<std::pair<int, int>> seen;
    for (int lane = 0; lane != 32; ++lane)
      for (int reg = 0; reg != registers; ++reg)
        for (int part = 0; part != parts; ++part) {
          position p = element(lane, reg, part);
          seen.emplace(p.row, p.column);
        }
    return seen.size();
  };
  EXPECT_EQ(count(4, 2, element_of_a16), 256u);
  EXPECT_EQ(count(2, 2, element_of_b16), 128u);
  EXPECT_EQ(count(4, 4, element_of_a8), 512u);
  EXPECT_EQ(count(2, 4, element_of_b8), 256u);
  EXPECT_EQ(count(4, 1, [](int lane, int reg, int) { return element_of_a32(lane, reg); }), 128u);
  EXPECT_EQ(count(2, 1, [](int lane, int reg, int) { return element_of_b32(lane, reg); }), 64u);
  EXPECT_EQ(count(4, 1, [](int lane, int reg, int) { return element_of_accumulator(lane, reg); }),
            128u);
}

// Small integers, so that every sum is exact in every type.
float a_at(int row, int k) { return float((row * 7 + k * 3) % 9 - 4); }
float b_at(int k, int column) { return float((k * 5 + column * 11) % 7 - 3); }
float c_at(int row, int column) { return float(row - column); }

float product_at(int depth, position p) {
  float sum = c_at(p.row, p.column);
  for (int k = 0; k != depth; ++k)
    sum += a_at(p.row, k) * b_at(k, p.column);
  return sum;
}

template <class T> unsigned bits_of(float x) { return std::bit_cast<std::uint16_t>(T(x)); }

template <class T, class Acc> void expect_product_16() {
  expect_none(run_and_report(64, 0, [] {
    int lane = arch::lane_index();
    unsigned a[4] = {}, b[2] = {};
    for (int half = 0; half != 2; ++half) {
      for (int reg = 0; reg != 4; ++reg) {
        position p = element_of_a16(lane, reg, half);
        a[reg] |= bits_of<T>(a_at(p.row, p.column)) << (16 * half);
      }
      for (int reg = 0; reg != 2; ++reg) {
        position p = element_of_b16(lane, reg, half);
        b[reg] |= bits_of<T>(b_at(p.row, p.column)) << (16 * half);
      }
    }
    Acc d[4];
    for (int reg = 0; reg != 4; ++reg) {
      position p = element_of_accumulator(lane, reg);
      d[reg] = Acc(c_at(p.row, p.column));
    }
    arch::mma_m16n8k16<T>(d, a, b);
    for (int reg = 0; reg != 4; ++reg)
      EXPECT_EQ(float(d[reg]), product_at(16, element_of_accumulator(lane, reg)));
  }));
}

TEST(matrix, multiplies_half) { expect_product_16<half, float>(); }
TEST(matrix, multiplies_bf16) { expect_product_16<bf16, float>(); }
TEST(matrix, multiplies_half_into_half) { expect_product_16<half, half>(); }

// Bytes of operands by their codes, each four in a register.
template <class A, class B, class Acc, class CodeA, class CodeB, class First, class Expected>
void expect_product_8(CodeA a_code, CodeB b_code, First first, Expected expected) {
  expect_none(run_and_report(32, 0, [=] {
    int lane = arch::lane_index();
    unsigned a[4] = {}, b[2] = {};
    for (int byte = 0; byte != 4; ++byte) {
      for (int reg = 0; reg != 4; ++reg)
        a[reg] |= unsigned(a_code(element_of_a8(lane, reg, byte))) << (8 * byte);
      for (int reg = 0; reg != 2; ++reg)
        b[reg] |= unsigned(b_code(element_of_b8(lane, reg, byte))) << (8 * byte);
    }
    Acc d[4];
    for (int reg = 0; reg != 4; ++reg)
      d[reg] = first(element_of_accumulator(lane, reg));
    arch::mma_m16n8k32<A, B>(d, a, b);
    for (int reg = 0; reg != 4; ++reg)
      EXPECT_EQ(d[reg], expected(element_of_accumulator(lane, reg)));
  }));
}

// All codes of a byte, as the types read them; the sums begin where some wrap round.
template <class A, class B> void expect_product_of_bytes() {
  auto a_code = [](position p) { return static_cast<std::uint8_t>(p.row * 37 + p.column * 91); };
  auto b_code = [](position p) { return static_cast<std::uint8_t>(p.row * 59 + p.column * 23); };
  auto first = [](position p) { return (p.row + p.column) % 2 ? 0x7fffff00 : -0x7fffff00; };
  expect_product_8<A, B, int>(a_code, b_code, first, [=](position p) {
    auto sum = static_cast<unsigned>(first(p));
    for (int k = 0; k != 32; ++k)
      sum += static_cast<unsigned>(static_cast<A>(a_code({p.row, k})) *
                                   static_cast<B>(b_code({k, p.column})));
    return static_cast<int>(sum);
  });
}

TEST(matrix, multiplies_bytes) {
  using s8 = signed char;
  using u8 = unsigned char;
  expect_product_of_bytes<s8, s8>();
  expect_product_of_bytes<s8, u8>();
  expect_product_of_bytes<u8, s8>();
  expect_product_of_bytes<u8, u8>();
}

// Codes of small whole numbers.
std::uint8_t code_of_e4m3(float x) {
  const std::uint8_t codes[] = {0, 0x38, 0x40, 0x44, 0x48};
  return std::uint8_t(codes[int(x < 0 ? -x : x)] | (x < 0 ? 0x80 : 0));
}
std::uint8_t code_of_e5m2(float x) {
  const std::uint8_t codes[] = {0, 0x3c, 0x40, 0x42, 0x44};
  return std::uint8_t(codes[int(x < 0 ? -x : x)] | (x < 0 ? 0x80 : 0));
}

TEST(matrix, multiplies_fp8) {
  auto first = [](position p) { return c_at(p.row, p.column); };
  auto expected = [](position p) { return product_at(32, p); };
  expect_product_8<fp8_e4m3, fp8_e4m3, float>(
      [](position p) { return code_of_e4m3(a_at(p.row, p.column)); },
      [](position p) { return code_of_e4m3(b_at(p.row, p.column)); }, first, expected);
  expect_product_8<fp8_e5m2, fp8_e5m2, float>(
      [](position p) { return code_of_e5m2(a_at(p.row, p.column)); },
      [](position p) { return code_of_e5m2(b_at(p.row, p.column)); }, first, expected);
}

TEST(matrix, selects_bytes) {
  EXPECT_EQ(arch::select_bytes(0x33221100, 0x77665544, 0x6420), 0x66442200u);
  EXPECT_EQ(arch::select_bytes(0x33221100, 0x77665544, 0x3175), 0x33117755u);
}

TEST(matrix, multiplies_tf32_and_ignores_the_low_bits) {
  expect_none(run_and_report(32, 0, [] {
    int lane = arch::lane_index();
    unsigned a[4], b[2];
    float d[4];
    for (int reg = 0; reg != 4; ++reg) {
      position p = element_of_a32(lane, reg);
      a[reg] = std::bit_cast<unsigned>(a_at(p.row, p.column)) | 0x1FFF;
      p = element_of_accumulator(lane, reg);
      d[reg] = c_at(p.row, p.column);
    }
    for (int reg = 0; reg != 2; ++reg) {
      position p = element_of_b32(lane, reg);
      b[reg] = std::bit_cast<unsigned>(b_at(p.row, p.column)) | 0x1FFF;
    }
    arch::mma_m16n8k8_tf32(d, a, b);
    for (int reg = 0; reg != 4; ++reg)
      EXPECT_EQ(d[reg], product_at(8, element_of_accumulator(lane, reg)));
  }));
}

// Every half, subnormals, infinities and NaN included, goes through the unit unchanged: h * 1.
TEST(matrix, converts_every_half) {
  expect_none(run_and_report(32, 0, [] {
    int lane = arch::lane_index();
    unsigned ones =
        bits_of<half>(1) * (lane_member(lane) == 0 ? 1u : 0u); // b is 1 in row 0, 0 elsewhere
    for (unsigned bits = unsigned(lane_group(lane)); bits < 0x10000; bits += 8) {
      unsigned a[4] = {lane_member(lane) == 0 ? bits : 0u, 0, 0, 0}, b[2] = {ones, 0};
      float d[4] = {};
      arch::mma_m16n8k16<half>(d, a, b);
      float expected = float(std::bit_cast<half>(static_cast<std::uint16_t>(bits)));
      bool is_nan = expected != expected;
      EXPECT_TRUE(is_nan ? d[0] != d[0] : d[0] == expected) << bits;
    }
  }));
}

void fill_matrices(int count) {
  if (int row = arch::thread_index(); row < 8 * count)
    for (int column = 0; column != 8; ++column)
      arch::store_shared<2>(arch::shared_memory(), 16 * row + 2 * column,
                            {{unsigned(row * 8 + column)}});
  arch::barrier();
}

// Rows of the matrices lie anywhere: lane i points to row i.
template <class Load> void expect_loaded(int count, bool transposed, Load load) {
  expect_none(run_and_report(32, 512, [=] {
    fill_matrices(count);
    int lane = arch::lane_index();
    unsigned d[4];
    load(d, arch::shared_memory(), lane < 8 * count ? 16 * (lane ^ 1) : -1);
    for (int matrix = 0; matrix != count; ++matrix)
      for (int half = 0; half != 2; ++half) {
        position p = element_of_ldmatrix(lane, half, transposed);
        EXPECT_EQ(d[matrix] >> (16 * half) & 0xFFFF,
                  unsigned(((8 * matrix + p.row) ^ 1) * 8 + p.column));
      }
  }));
}

TEST(matrix, ldmatrix_x4) {
  expect_loaded(4, false, [](auto... a) { arch::ldmatrix_x4(a...); });
}
TEST(matrix, ldmatrix_x4_trans) {
  expect_loaded(4, true, [](auto... a) { arch::ldmatrix_x4_trans(a...); });
}
TEST(matrix, ldmatrix_x2) {
  expect_loaded(2, false, [](auto... a) { arch::ldmatrix_x2(a...); });
}
TEST(matrix, ldmatrix_x2_trans) {
  expect_loaded(2, true, [](auto... a) { arch::ldmatrix_x2_trans(a...); });
}

TEST(matrix, ldmatrix_races_like_any_read) {
  auto reports = run_and_report(64, 512, [] {
    unsigned d[4];
    fill_matrices(4);
    if (arch::warp_index() == 0)
      arch::store_shared<16>(arch::shared_memory(), 16 * arch::lane_index(), {});
    else
      arch::ldmatrix_x4(d, arch::shared_memory(), 16 * arch::lane_index());
  });
  EXPECT_THAT(reports, testing::Contains(testing::HasSubstr("race in shared memory")));
}

} // namespace
} // namespace tessera::emulate
