// What orders memory, each with its twin that does not: barriers, barriers of warps, release and
// acquire by scope, fences, waits for copies.
#include "reports.h"

#include <tessera/arch/arch.cuh>

#include <atomic>
#include <cstring>

namespace tessera::emulate {
namespace {

alignas(16) unsigned data[256];
alignas(16) unsigned flag[4];

void put(int index, unsigned value) { arch::store_global<4>(data + index, {{value}}); }
unsigned get(int index) { return arch::load_global<4>(data + index).w[0]; }

// Runs first() in thread 0 of block 0 and then, unseen by the emulator, second() in thread 0 of
// block 1.
template <class First, class Second>
std::vector<std::string> run_in_turn(First first, Second second, unsigned threads = 1) {
  std::memset(data, 0, sizeof data);
  std::memset(flag, 0, sizeof flag);
  std::atomic<unsigned> passed = 0;
  run(
      2, threads, 64,
      [&] {
        if (arch::block_index<0>() == 0) {
          first();
          ++passed;
        } else {
          while (passed != threads)
            yield();
          second();
        }
      },
      "kernel");
  return take_reports();
}

template <order O, scope S> void set_flag() { arch::atomic_store<O, S>(flag, 1u); }
template <order O, scope S> unsigned flag_value() { return arch::atomic_load<O, S>(flag); }
template <order O, scope S> void wait_for_flag() {
  while (flag_value<O, S>() == 0) {
  }
}

void expect_race(const std::vector<std::string> &reports) {
  EXPECT_THAT(reports, testing::Contains(testing::HasSubstr("race in global memory")));
}

TEST(order, a_release_and_an_acquire_order_blocks) {
  expect_none(run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::release, scope::device>();
      },
      [] {
        wait_for_flag<order::acquire, scope::device>();
        EXPECT_EQ(get(0), 5u);
      }));
}

TEST(order, without_a_release_blocks_are_not_ordered) {
  auto reports = run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::relaxed, scope::device>();
      },
      [] {
        wait_for_flag<order::acquire, scope::device>();
        get(0);
      });
  expect_one(
      reports,
      "race in global memory: kernel kernel, block (1, 0, 0): thread 0 (warp 0) reads memory "
      "at 0x",
      "written by block (0, 0, 0), thread 0 (warp 0) with no release and acquire between "
      "the blocks",
      "\n  this access: 4 bytes at 0x", "; the other: 4 bytes at 0x");
}

TEST(order, without_an_acquire_blocks_are_not_ordered) {
  expect_race(run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::release, scope::device>();
      },
      [] {
        wait_for_flag<order::relaxed, scope::device>();
        get(0);
      }));
}

TEST(order, a_release_of_block_scope_stays_in_the_block) {
  expect_race(run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::release, scope::block>();
      },
      [] {
        flag_value<order::acquire, scope::device>();
        get(0);
      }));
}

TEST(order, an_acquire_of_block_scope_stays_in_the_block) {
  expect_race(run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::release, scope::device>();
      },
      [] {
        flag_value<order::acquire, scope::block>();
        get(0);
      }));
}

TEST(order, block_scope_orders_the_warps_of_a_block) {
  auto hand_over = [](auto set, auto wait) {
    std::memset(flag, 0, sizeof flag);
    return run_and_report(64, 0, [=] {
      if (arch::thread_index() == 0) {
        put(0, 5);
        set();
      } else if (arch::thread_index() == 40) {
        wait();
        get(0);
      }
    });
  };
  expect_none(hand_over(set_flag<order::release, scope::block>,
                        wait_for_flag<order::acquire, scope::block>));
  expect_race(hand_over(set_flag<order::relaxed, scope::block>,
                        wait_for_flag<order::acquire, scope::block>));
}

// A release publishes for its own thread; a barrier before it lets it publish for the block.
TEST(order, a_release_without_a_barrier_publishes_one_thread) {
  auto publish = [](bool has_barrier) {
    return run_in_turn(
        [=] {
          put(arch::thread_index(), 5);
          if (has_barrier)
            arch::barrier();
          if (arch::thread_index() == 0)
            set_flag<order::release, scope::device>();
        },
        [] {
          if (arch::thread_index() == 0)
            wait_for_flag<order::acquire, scope::device>();
          arch::barrier();
          get(63 - arch::thread_index());
        },
        64);
  };
  expect_none(publish(true));
  expect_race(publish(false));
}

TEST(order, a_barrier_hands_on_what_one_thread_acquired) {
  auto acquire = [](bool has_barrier) {
    return run_in_turn(
        [] {
          if (arch::thread_index() == 0) {
            put(0, 5);
            set_flag<order::release, scope::device>();
          }
        },
        [=] {
          if (arch::thread_index() == 0)
            wait_for_flag<order::acquire, scope::device>();
          if (has_barrier)
            arch::barrier();
          get(0);
        },
        64);
  };
  expect_none(acquire(true));
  expect_race(acquire(false));
}

TEST(order, updates_continue_a_release) {
  expect_none(run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::release, scope::device>();
        arch::atomic_rmw<atomic::add, order::relaxed, scope::device>(flag, 1u);
      },
      [] {
        wait_for_flag<order::acquire, scope::device>();
        get(0);
      }));
}

TEST(order, a_relaxed_store_ends_a_release) {
  expect_race(run_in_turn(
      [] {
        put(0, 5);
        set_flag<order::release, scope::device>();
        set_flag<order::relaxed, scope::device>();
      },
      [] {
        wait_for_flag<order::acquire, scope::device>();
        get(0);
      }));
}

TEST(order, a_failed_exchange_releases_nothing) {
  expect_race(run_in_turn(
      [] {
        put(0, 5);
        arch::atomic_compare_exchange<order::acq_rel, scope::device>(flag, 9u, 1u);
      },
      [] {
        flag_value<order::acquire, scope::device>();
        get(0);
      }));
}

TEST(order, fences_order_by_relaxed_operations) {
  auto pass = [](void (*before)(), void (*after)()) {
    return run_in_turn(
        [=] {
          put(0, 5);
          before();
          set_flag<order::relaxed, scope::device>();
        },
        [=] {
          wait_for_flag<order::relaxed, scope::device>();
          after();
          get(0);
        });
  };
  expect_none(pass(__threadfence, __threadfence));
  expect_race(pass(__threadfence, [] {}));
  expect_race(pass([] {}, __threadfence));
  expect_race(pass(__threadfence_block, __threadfence));
  expect_race(pass(__threadfence, __threadfence_block));
}

// What comes after the fence is not published.
TEST(order, a_fence_publishes_what_is_before_it) {
  expect_race(run_in_turn(
      [] {
        __threadfence();
        put(0, 5);
        set_flag<order::relaxed, scope::device>();
      },
      [] {
        wait_for_flag<order::acquire, scope::device>();
        get(0);
      }));
}

TEST(order, atomics_of_hand_written_kernels_order) {
  auto pass = [](bool has_fences) {
    return run_in_turn(
        [=] {
          put(0, 5);
          if (has_fences)
            __threadfence();
          atomicExch(flag, 1u);
        },
        [=] {
          while (atomicAdd(flag, 0u) == 0)
            yield();
          if (has_fences)
            __threadfence();
          get(0);
        });
  };
  expect_none(pass(true));
  expect_race(pass(false));
}

TEST(order, a_barrier_of_a_warp_orders_what_it_takes_part_in) {
  auto exchange = [](unsigned mask) {
    return run_and_report(32, 0, [=] {
      int lane = arch::lane_index();
      put(lane, 1);
      if (mask >> lane & 1)
        __syncwarp(mask);
      get(lane < 16 ? 15 - lane : lane);
    });
  };
  expect_none(exchange(~0u));
  expect_none(exchange(0xFFFF));
  expect_race(exchange(0xFF));
}

// A warp's barrier passes on what its lanes acquired.
TEST(order, a_barrier_of_a_warp_passes_on) {
  expect_none(run_in_turn(
      [] {
        put(arch::thread_index(), 5);
        arch::warp_barrier();
        if (arch::thread_index() == 0)
          set_flag<order::release, scope::device>();
      },
      [] {
        if (arch::thread_index() == 0)
          wait_for_flag<order::acquire, scope::device>();
        arch::warp_barrier();
        get(31 - arch::thread_index());
      },
      32));
}

TEST(order, launches_are_ordered) {
  for (int i = 0; i != 2; ++i)
    run(2, 32, 0, [=] { arch::block_index<0>() == i ? put(0, unsigned(i)) : void(); }, "kernel");
  expect_none(take_reports());
}

TEST(order, blocks_that_write_different_values_race) {
  auto write = [](unsigned a, unsigned b) {
    return run_in_turn([=] { put(0, a); }, [=] { put(0, b); });
  };
  expect_none(write(5, 5));
  expect_one(write(5, 6), "block (1, 0, 0): thread 0 (warp 0) writes memory at",
             "written by block (0, 0, 0), thread 0");
}

TEST(order, a_plain_access_races_with_an_atomic_of_another_block) {
  expect_one(run_in_turn([] { set_flag<order::release, scope::device>(); },
                         [] { arch::load_global<4>(flag); }),
             "reads memory at", "atomically updated by block (0, 0, 0)");
  expect_race(
      run_in_turn([] { arch::atomic_rmw<atomic::add, order::relaxed, scope::block>(flag, 1u); },
                  [] { arch::atomic_rmw<atomic::add, order::relaxed, scope::block>(flag, 1u); }));
  expect_none(
      run_in_turn([] { arch::atomic_rmw<atomic::add, order::relaxed, scope::device>(flag, 1u); },
                  [] { arch::atomic_rmw<atomic::add, order::relaxed, scope::device>(flag, 1u); }));
}

// A copy reads its source until it has been waited for.
TEST(order, the_source_of_a_copy_must_stay) {
  auto copy = [](bool waits_first) {
    return run_and_report(64, 16, [=] {
      if (arch::thread_index() == 0) {
        arch::cp_async<16>(arch::shared_memory(), 0, data, true);
        arch::cp_async_commit();
        if (waits_first)
          arch::cp_async_wait<0>();
      }
      arch::barrier();
      if (arch::thread_index() == 40)
        put(0, 1);
      arch::barrier();
      if (arch::thread_index() == 0)
        arch::cp_async_wait<0>();
    });
  };
  expect_none(copy(true));
  expect_race(copy(false));
}

} // namespace
} // namespace tessera::emulate
