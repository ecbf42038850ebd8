// Reductions and scans agree with a loop over the reduced dimension.
#include "laws.h"

#include <limits>

namespace tessera {
namespace {

using rows =
    layout<shape<64, 32>, registers<1, 2, 4, 1024>, lanes<8, 16, 32, 64, 128>, warps<256, 512>>;
using row_results = layout<shape<64, 1>, registers<32>, lanes<0, 0, 1, 2, 4>, warps<8, 16>>;
using column_partials =
    layout<shape<4, 32>, registers<1, 2, 4>, lanes<8, 16, 0, 0, 0>, warps<32, 64>>;

// Element (i, j) of the 64 x 32 tile.
int at(int i, int j) { return pattern(i * 32 + j); }

TEST(reduce, along_a_row) {
  in_block_of<rows>([] {
    const auto x = make<rows>(pattern);
    expect_elements(reduce<sum, 1, row_results>(x), [](int i) {
      int s = 0;
      for (int j = 0; j < 32; ++j)
        s += at(i, j);
      return s;
    });
    expect_elements(reduce<maximum, 1, row_results>(cast<float>(x)), [](int i) {
      int s = at(i, 0);
      for (int j = 0; j < 32; ++j)
        s = std::max(s, at(i, j));
      return s;
    });
    expect_elements(reduce<bit_xor, 1, row_results>(cast<signed char>(x)), [](int i) {
      int s = 0;
      for (int j = 0; j < 32; ++j)
        s ^= at(i, j);
      return s;
    });
    expect_elements(reduce<minimum_unsigned, 1, row_results>(cast<long long>(x)), [](int i) {
      long long s = at(i, 0);
      for (int j = 0; j < 32; ++j)
        s = static_cast<unsigned long long>(at(i, j)) < static_cast<unsigned long long>(s)
                ? at(i, j)
                : s;
      return s;
    });
  });
}

// Each warp leaves its own result: warp w has rows 8w .. 8w+7 and 32 more.
TEST(reduce, over_warps_gives_a_partial_result_each) {
  in_block_of<rows>([] {
    expect_elements(cast<float>(reduce<sum, 0, column_partials>(cast<bf16>(make<rows>(pattern)))),
                    [](int e) {
                      const int warp = e / 32, j = e % 32;
                      int s = 0;
                      for (int i = 0; i < 64; ++i)
                        if (i / 8 % 4 == warp)
                          s += at(i, j);
                      return s;
                    });
  });
}

TEST(reduce, half_sums_in_float) {
  using line =
      layout<shape<1, 1024>, registers<1, 2, 4, 8, 16>, lanes<32, 64, 128, 256, 512>, warps<>>;
  using one = layout<shape<1, 1>, registers<>, lanes<0, 0, 0, 0, 0>, warps<>>;
  in_block_of<line>([] {
    EXPECT_EQ(cast<float>(scalar(reduce<sum, 1, one>(splat<line>(bf16(1.0f))))), 1024.0f);
  });
}

TEST(argreduce, the_first_of_equals) {
  in_block_of<rows>([] {
    const auto x = make<rows>(pattern);
    expect_elements(argreduce<maximum, 1, row_results>(x), [](int i) {
      int best = 0;
      for (int j = 0; j < 32; ++j)
        best = at(i, j) > at(i, best) ? j : best;
      return best;
    });
    expect_elements(argreduce<minimum, 1, row_results>(cast<float>(x)), [](int i) {
      int best = 0;
      for (int j = 0; j < 32; ++j)
        best = at(i, j) < at(i, best) ? j : best;
      return best;
    });
    expect_elements(argreduce<maximum, 1, row_results>(splat<rows>(4.0f)), [](int) { return 0; });
  });
}

TEST(argreduce, a_number_wins_over_nan) {
  in_block_of<rows>([] {
    const auto x = make<rows>(
        [](int e) { return e % 32 == 17 ? -3.0f : std::numeric_limits<float>::quiet_NaN(); });
    expect_elements(argreduce<maximum, 1, row_results>(x), [](int) { return 17; });
  });
}

TEST(scan, forward_and_backward) {
  using lines = layout<shape<32, 16>, registers<4, 1, 2, 8>, lanes<16, 32, 64, 128, 256>, warps<>>;
  in_block_of<lines>([] {
    const auto x = make<lines>(pattern);
    expect_elements(scan<sum, 1, false>(x), [](int e) {
      int s = 0;
      for (int j = 0; j <= e % 16; ++j)
        s += pattern(e / 16 * 16 + j);
      return s;
    });
    expect_elements(scan<maximum, 1, true>(cast<half>(x)), [](int e) {
      int s = pattern(e);
      for (int j = e % 16; j < 16; ++j)
        s = std::max(s, pattern(e / 16 * 16 + j));
      return static_cast<float>(s);
    });
  });
}

// The order of registers and lanes along the dimension is any: here lane, register, lane, register.
TEST(scan, over_lanes) {
  using lines = layout<shape<8, 32>, registers<2, 16, 32>, lanes<1, 8, 4, 64, 128>, warps<>>;
  in_block_of<lines>([] {
    const auto x = make<lines>(pattern);
    expect_elements(scan<sum, 1, false>(x), [](int e) {
      int s = 0;
      for (int j = 0; j <= e % 32; ++j)
        s += pattern(e / 32 * 32 + j);
      return s;
    });
    expect_elements(scan<sum, 1, true>(cast<float>(x)), [](int e) {
      int s = 0;
      for (int j = e % 32; j < 32; ++j)
        s += pattern(e / 32 * 32 + j);
      return s;
    });
    expect_elements(scan<sum, 0, false>(x), [](int e) {
      int s = 0;
      for (int i = e % 32; i <= e; i += 32)
        s += pattern(i);
      return s;
    });
  });
}

// Warps in any order: the first bit of the warp number moves by the larger half.
TEST(scan, over_warps) {
  using lines =
      layout<shape<2, 512>, registers<1, 512>, lanes<2, 4, 8, 16, 32>, warps<256, 64, 128>>;
  using partials = layout<shape<2, 8>, registers<8>, lanes<0, 0, 0, 0, 0>, warps<4, 1, 2>>;
  using gathered = layout<shape<2, 8>, registers<8, 4, 1, 2>, lanes<0, 0, 0, 0, 0>, warps<0, 0, 0>>;
  in_block_of<lines>([] {
    const auto x = make<lines>(pattern);
    const shared_tile<int, shape<2, 8>> totals{reinterpret_cast<int *>(shared_memory())};
    store_shared(totals, reduce<sum, 1, partials>(x));
    barrier();
    const auto all = load_shared<gathered>(totals);
    expect_elements(scan_carry<sum, 1, false>(scan<sum, 1, false>(x), all), [](int e) {
      int s = 0;
      for (int j = 0; j <= e % 512; ++j)
        s += pattern(e / 512 * 512 + j);
      return s;
    });
    expect_elements(scan_carry<sum, 1, true>(scan<sum, 1, true>(x), all), [](int e) {
      int s = 0;
      for (int j = e % 512; j < 512; ++j)
        s += pattern(e / 512 * 512 + j);
      return s;
    });
  });
}

} // namespace
} // namespace tessera
