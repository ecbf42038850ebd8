// cp.async: source and destination are touched when the copy is waited for, and nobody may look
// before.
#include "reports.h"

#include <tessera/arch/arch.cuh>

namespace tessera::emulate {
namespace {

alignas(16) unsigned source[64];

void copy(int index, bool valid = true) {
  arch::cp_async<16>(arch::shared_memory(), 16 * index, source + 4 * index, valid);
}
unsigned get(int index) { return arch::load_shared<4>(arch::shared_memory(), 16 * index).w[0]; }

TEST(async, arrives_when_waited_for) {
  expect_none(run_and_report(1, 64, [] {
    source[0] = 1;
    copy(0);
    arch::cp_async_commit();
    source[0] = 2;
    arch::cp_async_wait<0>();
    EXPECT_EQ(get(0), 2u);
  }));
}

TEST(async, an_invalid_copy_writes_zeros_and_reads_nothing) {
  expect_none(run_and_report(1, 64, [] {
    arch::cp_async<16>(arch::shared_memory(), 0, nullptr, false);
    arch::cp_async_commit();
    arch::cp_async_wait<0>();
    EXPECT_EQ(get(0), 0u);
  }));
}

TEST(async, a_part_of_a_group_is_copied_with_zeros_behind) {
  expect_none(run_and_report(1, 64, [] {
    source[0] = 1;
    source[1] = 2;
    source[2] = 3;
    arch::cp_async_part(arch::shared_memory(), 0, source, 4, 10, true);
    arch::cp_async_part(arch::shared_memory(), 16, source, 0, 20, true);
    arch::cp_async_part(arch::shared_memory(), 32, nullptr, 4, 10, false);
    arch::cp_async_part(arch::shared_memory(), 48, nullptr, 4, 2, true);
    arch::cp_async_commit();
    arch::cp_async_wait<0>();
    auto word = [](int offset) { return arch::load_shared<4>(arch::shared_memory(), offset).w[0]; };
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), 3u);
    EXPECT_EQ(word(12), 0u);
    EXPECT_EQ(word(16), 1u);
    EXPECT_EQ(word(24), 3u);
    EXPECT_EQ(word(36), 0u);
    EXPECT_EQ(word(48), 0u);
  }));
}

TEST(async, a_copy_without_its_predicate_is_none) {
  expect_none(run_and_report(1, 64, [] {
    source[0] = 3;
    arch::cp_async_if<16>(true, arch::shared_memory(), 0, source, true);
    arch::cp_async_if<16>(false, arch::shared_memory(), 0, nullptr, false);
    arch::cp_async_commit();
    arch::cp_async_wait<0>();
    EXPECT_EQ(get(0), 3u);
  }));
}

// The source may be read as late as at the wait, whoever writes it meanwhile.
TEST(async, writing_the_source_before_the_wait_is_a_race) {
  auto write_source = [] {
    words<4> x{{5}};
    arch::store_global<4>(source, x);
  };
  expect_one(run_and_report(1, 64,
                            [&] {
                              copy(0);
                              arch::cp_async_commit();
                              arch::barrier();
                              write_source();
                              arch::cp_async_wait<0>();
                            }),
             "race in global memory");
  expect_none(run_and_report(1, 64, [&] {
    write_source();
    copy(0);
    arch::cp_async_commit();
    arch::cp_async_wait<0>();
    write_source();
  }));
}

TEST(async, reading_without_a_wait_is_a_race) {
  auto reports = run_and_report(1, 64, [] {
    copy(0);
    arch::cp_async_commit();
    get(0);
  });
  expect_one(
      reports,
      "thread 0 (warp 0) reads byte 0, which a cp.async of thread 0 (warp 0) has not written yet");
}

// The wait leaves the N newest groups in flight.
TEST(async, groups_complete_in_order) {
  auto reports = run_and_report(1, 64, [] {
    for (int i = 0; i != 3; ++i) {
      copy(i);
      arch::cp_async_commit();
    }
    arch::cp_async_wait<1>();
    get(0);
    get(1);
    get(2);
  });
  expect_one(reports, "reads byte 32, which a cp.async");
}

TEST(async, an_uncommitted_copy_is_not_waited_for) {
  auto reports = run_and_report(1, 64, [] {
    copy(0);
    arch::cp_async_wait<0>();
    get(0);
  });
  expect_one(reports, "reads byte 0, which a cp.async");
}

TEST(async, the_wait_is_for_the_own_copies_only) {
  auto reports = run_and_report(64, 16, [] {
    if (arch::thread_index() == 0) {
      copy(0);
      arch::cp_async_commit();
      arch::cp_async_wait<0>();
    }
    if (arch::thread_index() == 40)
      get(0);
  });
  EXPECT_THAT(reports, testing::Not(testing::IsEmpty()));
}

// A ring of stages: the copy of the next round may start only when all have read the last one.
TEST(async, a_copy_over_what_others_read_needs_a_barrier) {
  auto ring = [](bool has_second_barrier) {
    return run_and_report(64, 16, [=] {
      for (int round = 0; round != 2; ++round) {
        if (arch::thread_index() == 0)
          copy(0);
        arch::cp_async_commit();
        arch::cp_async_wait<0>();
        arch::barrier();
        get(0);
        if (has_second_barrier)
          arch::barrier();
      }
    });
  };
  expect_none(ring(true));
  EXPECT_THAT(ring(false), testing::Contains(testing::HasSubstr("race in shared memory")));
}

TEST(async, copies_left_at_the_end_are_dropped) {
  expect_none(run_and_report(1, 64, [] { copy(0); }));
  expect_none(run_and_report(1, 64, [] { arch::store_shared<4>(arch::shared_memory(), 0, {}); }));
}

TEST(async, alignment_is_checked) {
  expect_one(run_and_report(1, 64,
                            [] {
                              arch::cp_async<16>(arch::shared_memory(), 0, source + 1, true);
                              arch::cp_async_commit();
                              arch::cp_async_wait<0>();
                            }),
             "misaligned access to global memory", "reads 16 bytes");
}

} // namespace
} // namespace tessera::emulate
