// A layout is linear over bits, covers its tile, and its cheap forms agree with the definition.
#include "laws.h"

#include <set>

namespace tessera {
namespace {

using rows =
    layout<shape<64, 32>, registers<1, 2, 4, 1024>, lanes<8, 16, 32, 64, 128>, warps<256, 512>>;
using swizzled = layout<shape<8, 32>, registers<1, 2>, lanes<4, 8, 16, 32 | 4, 64 | 8>, warps<128>>;
using copies = layout<shape<16, 1>, registers<1>, lanes<0, 2, 0, 4, 8>, warps<0>>;

// The XOR of the bases of the bits that are set.
int by_definition(std::vector<int> bases, int x) {
  int element = 0;
  for (std::size_t i = 0; i < bases.size(); ++i)
    if (x >> i & 1)
      element ^= bases[i];
  return element;
}

TEST(layout, counts) {
  static_assert(rows::register_count == 16 && rows::warp_count == 4 && rows::thread_count == 128);
  static_assert(rows::element(0b1011) == 1024 + 2 + 1);
  static_assert(rows::is_disjoint && swizzled::is_disjoint);
  static_assert(
      !layout<shape<8, 32>, registers<1, 4 | 1>, lanes<4, 8, 16, 32, 64>, warps<128>>::is_disjoint);
}

TEST(layout, runs_of_bits_agree_with_the_definition) {
  for (int x = 0; x < 128; ++x) {
    EXPECT_EQ(rows::thread_map::apply(x), by_definition({8, 16, 32, 64, 128, 256, 512}, x));
    EXPECT_EQ(copies::thread_map::apply(x & 63), by_definition({0, 2, 0, 4, 8, 0}, x & 63));
    EXPECT_EQ(swizzled::thread_map::apply(x & 63), by_definition({4, 8, 16, 36, 72, 128}, x & 63));
  }
}

TEST(layout, the_inverse_finds_the_register) {
  for (int r = 0; r < rows::register_count; ++r)
    EXPECT_EQ(rows::register_of(rows::element(r)), r);
}

TEST(layout, every_element_has_one_place) {
  std::set<int> seen;
  for (int t = 0; t < swizzled::thread_count; ++t)
    for (int r = 0; r < swizzled::register_count; ++r)
      seen.insert(swizzled::thread_map::apply(t) ^ swizzled::element(r));
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(swizzled::size));
}

TEST(layout, one_thread_owns_an_element) {
  std::multiset<int> owned;
  in_block_of<copies>([&] {
    if (copies::is_owner())
      for (int r = 0; r < copies::register_count; ++r)
        owned.insert(copies::thread_element() ^ copies::element(r));
  });
  EXPECT_EQ(owned.size(), 16u);
  EXPECT_EQ(std::set<int>(owned.begin(), owned.end()).size(), 16u);
}

TEST(layout, runs_of_registers) {
  static_assert(rows::has_runs<8>(1) && rows::has_runs<4>(1) && !rows::has_runs<16>(1) &&
                !rows::has_runs<2>(0));
}

TEST(layout, deposit_and_extract_are_inverse) {
  for (int x = 0; x < 8; ++x) {
    EXPECT_EQ(extract(deposit(x, 0b10110), 0b10110), x);
    EXPECT_EQ(deposit<0b10110>(x), deposit(x, 0b10110));
    EXPECT_EQ(extract<0b10110>(deposit(x, 0b10110)), x);
  }
}

TEST(fragment, iota_is_the_row_major_index) {
  in_block_of<rows>([] { expect_elements(iota<int, rows>(), [](int i) { return i; }); });
  in_block_of<swizzled>([] { expect_elements(iota<int, swizzled>(), [](int i) { return i; }); });
}

// Broadcast along rows, and along columns.
TEST(fragment, broadcast_repeats) {
  using column = layout<shape<64, 1>, registers<32>, lanes<0, 0, 1, 2, 4>, warps<8, 16>>;
  using row = layout<shape<1, 32>, registers<1, 2, 4>, lanes<8, 16, 0, 0, 0>, warps<0, 0>>;
  in_block_of<rows>([] {
    expect_elements(broadcast<rows>(make<column>(pattern)), [](int i) { return pattern(i / 32); });
    expect_elements(broadcast<rows>(make<row>(pattern)), [](int i) { return pattern(i % 32); });
  });
}

TEST(fragment, convert_reorders_registers) {
  using other =
      layout<shape<64, 32>, registers<1024, 4, 1, 2>, lanes<8, 16, 32, 64, 128>, warps<256, 512>>;
  in_block_of<rows>([] { expect_elements(convert<other>(make<rows>(pattern)), pattern); });
}

// Each thread holds the whole tile; afterwards each holds its own part.
TEST(fragment, convert_picks_what_a_thread_needs) {
  using everywhere = layout<shape<8>, registers<1, 2, 4>, lanes<0, 0, 0, 0, 0>, warps<>>;
  using spread = layout<shape<8>, registers<1>, lanes<2, 4, 0, 0, 0>, warps<>>;
  in_block_of<spread>([] { expect_elements(convert<spread>(make<everywhere>(pattern)), pattern); });
}

TEST(fragment, relabel_renames) {
  using transposed_rows =
      layout<shape<32, 64>, registers<64, 128, 256, 32>, lanes<512, 1024, 1, 2, 4>, warps<8, 16>>;
  in_block_of<rows>([] {
    expect_elements(relabel<transposed_rows>(make<rows>(pattern)),
                    [](int i) { return pattern(i % 64 * 32 + i / 64); });
  });
}

} // namespace
} // namespace tessera
