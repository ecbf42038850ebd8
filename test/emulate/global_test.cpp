// Global memory within a block: what one thread writes and another reads needs a barrier between
// them, as in shared memory. Blocks are in order_test.cpp.
#include "reports.h"

#include <tessera/arch/arch.cuh>

namespace tessera::emulate {
namespace {

alignas(16) unsigned memory[128];

void put(int index, unsigned value) { arch::store_global<4>(memory + index, {{value}}); }
unsigned get(int index) { return arch::load_global<4>(memory + index).w[0]; }

TEST(global, a_barrier_orders) {
  expect_none(run_and_report(128, 0, [] {
    int thread = arch::thread_index();
    put(thread, static_cast<unsigned>(thread));
    arch::barrier();
    EXPECT_EQ(get(127 - thread), static_cast<unsigned>(127 - thread));
  }));
}

TEST(global, a_missing_barrier_is_a_race) {
  auto reports = run_and_report(64, 0, [] {
    put(arch::thread_index(), 1);
    get(63 - arch::thread_index());
  });
  EXPECT_THAT(reports, testing::Contains(testing::HasSubstr(
                           "race in global memory: kernel kernel, block (0, 0, 0): thread")));
}

// Which of two stores to an element stays is left open by the language, so it is no mistake.
TEST(global, two_stores_are_no_race) {
  expect_none(run_and_report(64, 0, [] { put(0, static_cast<unsigned>(arch::thread_index())); }));
}

// The order of two stores counts.
TEST(global, stores_one_after_the_other_need_a_barrier) {
  auto write_twice = [](bool has_barrier) {
    return run_and_report(64, 0, [=] {
      arch::next_store();
      put(arch::thread_index(), 1);
      if (has_barrier)
        arch::barrier();
      arch::next_store();
      put(63 - arch::thread_index(), 2);
    });
  };
  expect_none(write_twice(true));
  EXPECT_THAT(write_twice(false), testing::Contains(testing::HasSubstr("race in global memory")));
}

TEST(global, predicated_accesses_touch_nothing_outside) {
  expect_none(run_and_report(1, 0, [] {
    EXPECT_EQ(arch::load_global_if<8>(nullptr, false, {{3, 4}}).w[1], 4u);
    arch::store_global_if<4>(nullptr, {{1}}, false);
  }));
}

TEST(global, misaligned_accesses_are_reported) {
  expect_one(run_and_report(1, 0, [] { arch::load_global<16>(memory + 1); }),
             "misaligned access to global memory", "reads 16 bytes");
}

} // namespace
} // namespace tessera::emulate
