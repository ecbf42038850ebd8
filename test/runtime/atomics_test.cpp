// Atomics act once for each element, whatever copies a layout holds.
#include "laws.h"

namespace tessera {
namespace {

using copies = layout<shape<64>, registers<1>, lanes<2, 4, 8, 16, 0>, warps<32, 0>>;

template <atomic Op, class T> T result_of(T before, T operand) {
  std::vector<T> data(64, before);
  in_block_of<copies>([&] {
    const auto p = offset(splat<copies>(data.data()), iota<int, copies>());
    const auto seen = atomic_rmw<Op, order::relaxed, scope::device>(p, splat<copies>(operand));
    if (copies::is_owner())
      expect_elements(seen, [&](int) { return before; });
  });
  for (T x : data)
    EXPECT_EQ(static_cast<double>(x), static_cast<double>(data[0]));
  return data[0];
}

TEST(atomics, operations) {
  EXPECT_EQ((result_of<atomic::add>(5, 3)), 8);
  EXPECT_EQ((result_of<atomic::sub>(5LL, 3LL)), 2);
  EXPECT_EQ((result_of<atomic::max_unsigned>(5, -1)), -1);
  EXPECT_EQ((result_of<atomic::min>(5, -1)), -1);
  EXPECT_EQ((result_of<atomic::bit_xor>(5, 3)), 6);
  EXPECT_EQ((result_of<atomic::xchg>(5.0f, 3.0f)), 3.0f);
  EXPECT_EQ((result_of<atomic::add>(5.0, 3.0)), 8.0);
  EXPECT_EQ(static_cast<float>(result_of<atomic::add>(bf16(5.0f), bf16(3.0f))), 8.0f);
}

TEST(atomics, the_mask_decides) {
  std::vector<int> data(64, 1);
  in_block_of<copies>([&] {
    const auto e = iota<int, copies>();
    atomic_rmw<atomic::add, order::acq_rel, scope::block>(offset(splat<copies>(data.data()), e), e,
                                                          e < splat<copies>(10));
  });
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(data[i], i < 10 ? 1 + i : 1);
}

TEST(atomics, one_place_counts_every_element) {
  int total = 0;
  in_block_of<copies>([&] {
    atomic_rmw<atomic::add, order::relaxed, scope::device>(splat<copies>(&total),
                                                           iota<int, copies>());
  });
  EXPECT_EQ(total, 63 * 64 / 2);
}

TEST(atomics, compare_exchange) {
  std::vector<int> data(64);
  for (int i = 0; i < 64; ++i)
    data[i] = i % 2;
  in_block_of<copies>([&] {
    const auto p = offset(splat<copies>(data.data()), iota<int, copies>());
    const auto seen = atomic_compare_exchange<order::acq_rel, scope::device>(p, splat<copies>(1),
                                                                             splat<copies>(7));
    if (copies::is_owner())
      expect_elements(seen, [](int e) { return e % 2; });
  });
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(data[i], i % 2 ? 7 : 0);
}

// Scalars: the first thread acts, and it alone has the result.
TEST(atomics, the_first_thread_acts_on_scalars) {
  int counter = 40;
  in_block_of<copies>([&] {
    const int ticket = atomic_rmw<atomic::add, order::relaxed, scope::device>(&counter, 2);
    const int now = atomic_load<order::acquire, scope::device>(&counter);
    const bool first = arch::thread_index() == 0;
    EXPECT_EQ(ticket, first ? 40 : 0);
    EXPECT_EQ(now, first ? 42 : 0);
  });
  EXPECT_EQ(counter, 42);
}

} // namespace
} // namespace tessera
