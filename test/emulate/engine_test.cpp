// Threads are fibers of one OS thread, blocks are spread over OS threads, and barriers must be
// reached by all.
#include "reports.h"

#include <tessera/arch/arch.cuh>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace tessera::emulate {
namespace {

// Every thread of every block runs once and knows who it is.
TEST(engine, runs_each_thread_of_each_block) {
  std::vector<std::atomic<int>> runs(3 * 2 * 2 * 64);
  run(
      dim3(3, 2, 2), 64, 0,
      [&] {
        int block = arch::block_index<0>() +
                    arch::grid_size<0>() *
                        (arch::block_index<1>() + arch::grid_size<1>() * arch::block_index<2>());
        ++runs[static_cast<std::size_t>(block * 64 + arch::thread_index())];
      },
      "kernel");
  for (const auto &count : runs)
    EXPECT_EQ(count, 1);
}

TEST(engine, an_empty_grid_does_nothing) {
  run(dim3(0, 1, 1), 32, 0, [] { FAIL(); }, "kernel");
}

// Lanes, warps and three-dimensional blocks follow from the row-major number of the thread.
TEST(engine, numbers_threads_in_row_major_order) {
  std::vector<uint3> seen(2 * 3 * 16);
  run(1, dim3(2, 3, 16), 0, [&] { seen[current->number] = threadIdx; }, "kernel");
  EXPECT_EQ(seen[1].x, 1u);
  EXPECT_EQ(seen[2].y, 1u);
  EXPECT_EQ(seen[95].z, 15u);
}

// What was done before a barrier by one thread is seen behind it by another, whichever runs first.
TEST(engine, a_barrier_separates) {
  std::vector<int> before(96), after(96);
  expect_none(run_and_report(96, 0, [&] {
    int thread = arch::thread_index();
    for (int round = 1; round != 10; ++round) {
      before[thread] = round * thread;
      arch::barrier();
      after[thread] = before[95 - thread];
      arch::barrier();
      EXPECT_EQ(after[thread], round * (95 - thread));
    }
  }));
}

TEST(engine, a_barrier_that_some_do_not_reach_diverges) {
  auto reports = run_and_report(96, 0, [] {
    if (arch::thread_index() < 64)
      arch::barrier();
  });
  expect_one(reports, "barrier divergence: kernel kernel, block (0, 0, 0)",
             "threads 0-63 at barrier", "threads 64-95 finished");
}

TEST(engine, different_meetings_diverge) {
  auto reports = run_and_report(32, 0, [] {
    if (arch::lane_index() == 5)
      arch::barrier();
    else
      arch::warp_barrier();
  });
  expect_one(reports,
             "threads 0-4 at warp_barrier; thread 5 at barrier; threads 6-31 at warp_barrier");
}

// As after an error of the device, nothing runs until somebody has looked.
TEST(engine, nothing_runs_after_a_divergence) {
  run(1, 32, 0, [] { arch::lane_index() ? arch::barrier() : void(); }, "diverges");
  bool ran = false;
  run(1, 1, 0, [&] { ran = true; }, "next");
  EXPECT_FALSE(ran);
  EXPECT_TRUE(failed());
  take_reports();
  run(1, 1, 0, [&] { ran = true; }, "next");
  EXPECT_TRUE(ran);
}

TEST(engine, a_process_with_reports_exits_with_86) {
  auto diverge_and_leave = [] {
    run(1, 2, 0, [] { arch::thread_index() ? arch::barrier() : void(); }, "diverges");
    std::exit(0);
  };
  EXPECT_EXIT(diverge_and_leave(), testing::ExitedWithCode(failure_status),
              "kernel diverges.*\n.*1 reports");
}

// Hand-written kernels may let threads return before a barrier.
TEST(engine, syncthreads_counts_the_unfinished_only) {
  int sum = 0;
  expect_none(run_and_report(64, 0, [&] {
    if (arch::thread_index() >= 40)
      return;
    __syncthreads();
    EXPECT_EQ(__ballot_sync(~0u, true), arch::warp_index() ? 0xFFu : ~0u);
    ++sum;
  }));
  EXPECT_EQ(sum, 40);
}

// Two blocks that wait for each other are both running.
TEST(engine, blocks_run_in_parallel) {
  std::atomic<int> arrived = 0;
  run(
      6, 32, 0,
      [&] {
        if (arch::thread_index() == 0)
          ++arrived;
        while (arrived != 6)
          yield();
      },
      "kernel");
  EXPECT_EQ(arrived, 6);
}

// A thread may spin for another one of its warp, if it yields.
TEST(engine, pollers_let_others_run) {
  bool flag = false;
  expect_none(run_and_report(64, 0, [&] {
    if (arch::lane_index() == 31 && arch::warp_index() == 1)
      flag = true;
    while (!flag)
      yield();
  }));
}

// So emitted code that polls, through the atomics of tier arch, lets them run too.
TEST(engine, atomics_of_the_arch_tier_let_others_run) {
  int lock = 0, flag = 0, count = 0;
  expect_none(run_and_report(64, 0, [&] {
    while (arch::atomic_compare_exchange<order::acquire, scope::device>(&lock, 0, 1) != 0) {
    }
    int seen = count;
    yield();
    count = seen + 1;
    arch::atomic_store<order::release, scope::device>(&lock, 0);
    if (arch::thread_index() == 63)
      arch::atomic_rmw<atomic::add, order::release, scope::device>(&flag, 1);
    while (arch::atomic_load<order::acquire, scope::device>(&flag) == 0) {
    }
  }));
  EXPECT_EQ(count, 64);
}

// Emitted code may keep large fragments in local memory.
TEST(engine, stacks_hold_large_arrays) {
  expect_none(run_and_report(64, 0, [] {
    volatile char large[800 * 1024];
    large[0] = 1;
    large[sizeof large - 1] = 2;
    arch::barrier();
    EXPECT_EQ(large[0], 1);
  }));
}

// __shared__ variables belong to the block that runs: the next block of the same OS thread starts
// after it.
TEST(engine, static_shared_memory_is_per_block) {
  std::atomic<int> wrong = 0;
  run(
      100, 64, 0,
      [&] {
        __shared__ int values[64];
        values[arch::thread_index()] = arch::block_index<0>();
        arch::barrier();
        wrong += values[63 - arch::thread_index()] != arch::block_index<0>();
      },
      "kernel");
  EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace tessera::emulate
