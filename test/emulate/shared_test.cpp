// Shared memory: an access is a race if no barrier orders it with another thread's access of the
// same byte, one of them a write.
#include "reports.h"

#include <tessera/arch/arch.cuh>

namespace tessera::emulate {
namespace {

void put(int index, unsigned value) {
  arch::store_shared<4>(arch::shared_memory(), 4 * index, {{value}});
}
unsigned get(int index) { return arch::load_shared<4>(arch::shared_memory(), 4 * index).w[0]; }

TEST(shared, a_barrier_orders) {
  expect_none(run_and_report(128, 512, [] {
    int thread = arch::thread_index();
    for (unsigned round = 0; round != 3; ++round) {
      put(thread, round);
      arch::barrier();
      EXPECT_EQ(get(127 - thread), round);
      arch::barrier();
    }
  }));
}

// Fixes the order of accesses without ordering memory.
struct iterations {
  int next = 0;

  template <class Access> void take(int number, Access access) {
    while (next != number)
      yield();
    access();
    ++next;
  }
};

TEST(shared, a_missing_barrier_is_a_race) {
  iterations in_order;
  auto reports = run_and_report(64, 4, [&] {
    if (arch::thread_index() == 5)
      in_order.take(0, [] { put(0, 1); });
    if (arch::thread_index() == 37)
      in_order.take(1, [] { get(0); });
  });
  expect_one(reports,
             "race in shared memory: kernel kernel, block (0, 0, 0): thread 37 (warp 1) reads byte "
             "0 written by thread 5 (warp 0)",
             "with no barrier between them");
}

TEST(shared, a_write_after_a_read_needs_a_barrier_too) {
  iterations in_order;
  auto reports = run_and_report(96, 4, [&] {
    if (arch::thread_index() == 40)
      put(0, 1);
    arch::barrier();
    if (arch::lane_index() == 0)
      in_order.take(arch::warp_index(), [] { arch::warp_index() < 2 ? void(get(0)) : put(0, 2); });
  });
  expect_one(reports, "thread 64 (warp 2) writes byte 0 read by thread 32 (warp 1)");
}

TEST(shared, two_writes_are_a_race) {
  iterations in_order;
  auto reports = run_and_report(33, 4, [&] {
    if (arch::lane_index() == 0)
      in_order.take(arch::warp_index(), [] { put(0, 1); });
  });
  expect_one(reports, "thread 32 (warp 1) writes byte 0 written by thread 0 (warp 0)");
}

// Whichever thread comes first, one of the two sees the other.
TEST(shared, races_are_seen_in_every_order) {
  auto reports = run_and_report(64, 256, [] {
    put(arch::thread_index(), 1);
    arch::barrier();
    get(arch::thread_index() ^ 32);
    put(arch::thread_index(), 2);
  });
  EXPECT_THAT(reports, testing::Contains(testing::HasSubstr("race in shared memory")));
}

TEST(shared, a_warp_barrier_orders_its_warp) {
  expect_none(run_and_report(64, 256, [] {
    int thread = arch::thread_index();
    put(thread, 1);
    arch::warp_barrier();
    get(thread ^ 31);
    arch::warp_barrier();
    put(thread ^ 1, 2);
  }));
}

// The hardware orders no memory by shuffles.
TEST(shared, a_shuffle_orders_nothing) {
  auto reports = run_and_report(32, 128, [] {
    put(arch::thread_index(), 1);
    arch::shuffle_xor(0, 1);
    if (arch::thread_index() == 3)
      get(2);
  });
  expect_one(reports, "thread 3 (warp 0) reads byte 8 written by thread 2 (warp 0) with no warp "
                      "barrier between them");
}

TEST(shared, one_place_is_reported_once) {
  auto reports = run_and_report(64, 256, [] {
    for (int i = 0; i != 64; ++i)
      put(i, 1);
  });
  EXPECT_EQ(reports.size(), 1u);
}

TEST(shared, memory_of_the_block_before_is_not_initialised) {
  run(1, 1, 64, [] { put(3, 1); }, "kernel");
  expect_one(run_and_report(1, 64, [] { EXPECT_EQ(get(3), 0xCBCBCBCBu); }),
             "read of uninitialised shared memory", "reads byte 12, which nothing has written");
}

TEST(shared, accesses_outside_are_reported) {
  expect_one(run_and_report(1, 64, [] { put(16, 1); }), "out of range",
             "writes 4 bytes at offset 64 of 64 bytes");
  expect_one(run_and_report(1, 64, [] { get(-1); }), "out of range",
             "reads 4 bytes at offset -4 of 64 bytes");
}

TEST(shared, misaligned_accesses_are_reported) {
  expect_one(run_and_report(1, 64, [] { arch::store_shared<16>(arch::shared_memory(), 8, {}); }),
             "misaligned access to shared memory", "bytes 8 to 23");
}

TEST(shared, small_words_carry_their_low_bits) {
  expect_none(run_and_report(1, 16, [] {
    arch::store_shared<1>(arch::shared_memory(), 3, {{0x1FFu}});
    arch::store_shared<2>(arch::shared_memory(), 4, {{0x12345u}});
    EXPECT_EQ(arch::load_shared<1>(arch::shared_memory(), 3).w[0], 0xFFu);
    EXPECT_EQ(arch::load_shared<2>(arch::shared_memory(), 4).w[0], 0x2345u);
  }));
}

} // namespace
} // namespace tessera::emulate
