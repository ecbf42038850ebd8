// Warps exchange values when all their lanes have come; the functions of hand-written kernels keep
// CUDA's rules for masks and widths.
#include "reports.h"

#include <tessera/arch/arch.cuh>

#include <array>

namespace tessera::emulate {
namespace {

TEST(warp, shuffle_xor_gives_the_partners_value) {
  expect_none(run_and_report(64, 0, [] {
    unsigned own = static_cast<unsigned>(arch::thread_index()) * 10;
    for (int mask : {1, 2, 4, 8, 16, 31})
      EXPECT_EQ(arch::shuffle_xor(own, mask),
                static_cast<unsigned>(arch::thread_index() ^ mask) * 10);
  }));
}

TEST(warp, a_shuffle_without_all_lanes_diverges) {
  auto reports = run_and_report(32, 0, [] {
    if (arch::lane_index() != 7)
      arch::shuffle_xor(0, 1);
  });
  expect_one(reports, "threads 0-6 at shuffle_xor; thread 7 finished; threads 8-31 at shuffle_xor");
}

TEST(warp, shuffles_respect_the_width) {
  expect_none(run_and_report(32, 0, [] {
    int lane = arch::lane_index();
    EXPECT_EQ(__shfl_sync(~0u, lane, 9, 8), lane / 8 * 8 + 1);
    EXPECT_EQ(__shfl_up_sync(~0u, lane, 3, 16), lane % 16 < 3 ? lane : lane - 3);
    EXPECT_EQ(__shfl_down_sync(~0u, lane, 3, 16), lane % 16 > 12 ? lane : lane + 3);
    EXPECT_EQ(__shfl_xor_sync(~0u, double(lane), 5), double(lane ^ 5));
  }));
}

// Two halves of a warp in different branches meet separately.
TEST(warp, masks_meet_separately) {
  expect_none(run_and_report(32, 0, [] {
    int lane = arch::lane_index();
    unsigned mask = lane < 16 ? 0xFFFFu : 0xFFFF0000u;
    EXPECT_EQ(__reduce_add_sync(mask, lane), lane < 16 ? 120 : 376);
    EXPECT_EQ(__ballot_sync(mask, lane % 2), mask & 0xAAAAAAAAu);
    EXPECT_TRUE(__any_sync(mask, lane == 3 || lane == 20));
    EXPECT_FALSE(__all_sync(mask, lane != 3 && lane != 20));
  }));
}

TEST(warp, locks_do_not_stop_the_block) {
  int lock = 0, count = 0;
  expect_none(run_and_report(128, 0, [&] {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    int seen = count;
    yield();
    count = seen + 1;
    atomicExch(&lock, 0);
  }));
  EXPECT_EQ(count, 128);
}

} // namespace
} // namespace tessera::emulate
