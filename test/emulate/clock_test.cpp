// The clocks: what a thread knows of after a barrier, an acquire, a join; and that bounds only ever
// add to it.
#include "clock.h"

#include <gtest/gtest.h>

namespace tessera::emulate {
namespace {

struct one_thread {
  block_clock block;
  thread_clock clock;
  std::uint16_t number;

  one_thread(std::uint32_t in_block, std::uint16_t number) : number(number) {
    block.begin(in_block);
  }
  epoch act() const { return {clock.now(block), block.block, number}; }
  observer look() const {
    return {block.block, number, 0, clock.now(block), block.interval, clock.known(block).get()};
  }
  bool knows(const epoch &e) const { return look().knows(e); }
  knowledge_ref release() { return clock.release(block, number); }
  void acquire(const knowledge_ref &published) { clock.acquire(block, published); }
};

TEST(clock, a_thread_knows_its_own) {
  one_thread a(0, 5);
  epoch before = a.act();
  a.release();
  EXPECT_TRUE(a.knows(before));
  EXPECT_TRUE(a.knows(a.act()));
}

TEST(clock, nothing_is_known_of_another_block) {
  one_thread a(0, 5), b(1, 5);
  EXPECT_FALSE(b.knows(a.act()));
}

TEST(clock, an_acquire_learns_what_was_before_the_release) {
  one_thread a(0, 5), b(1, 7);
  epoch before = a.act();
  knowledge_ref published = a.release();
  epoch after = a.act();
  EXPECT_FALSE(b.knows(before));
  b.acquire(published);
  EXPECT_TRUE(b.knows(before));
  EXPECT_FALSE(b.knows(after));
}

// A release publishes what the block did before its last barrier, and of what came since only the
// releasing thread's part.
TEST(clock, a_release_is_of_one_thread) {
  one_thread a(0, 0), b(1, 0);
  epoch others_before{a.act().time, 0, 40};
  a.block.interval = next_stamp(); // the barrier
  epoch others_after{a.act().time, 0, 40};
  b.acquire(a.release());
  EXPECT_TRUE(b.knows(others_before));
  EXPECT_FALSE(b.knows(others_after));
}

TEST(clock, knowledge_is_passed_on) {
  one_thread a(0, 0), b(1, 0), c(2, 0);
  epoch first = a.act();
  b.acquire(a.release());
  c.acquire(b.release());
  EXPECT_TRUE(c.knows(first));
}

TEST(clock, a_join_knows_both) {
  one_thread a(0, 0), b(1, 3), c(2, 0);
  epoch of_a = a.act(), of_b = b.act();
  c.acquire(knowledge::join(a.release(), b.release()));
  EXPECT_TRUE(c.knows(of_a));
  EXPECT_TRUE(c.knows(of_b));
}

// What an mbarrier is made of: arrivals are joined, and who waits learns all of them.
TEST(clock, arrivals_of_many_threads_are_kept_apart) {
  knowledge_ref phase;
  std::vector<epoch> before, after;
  for (std::uint16_t number = 0; number < 512; number += 64) {
    one_thread t(0, number);
    t.block.interval = 1;
    before.push_back(t.act());
    phase = knowledge::join(phase, t.release());
    after.push_back(t.act());
  }
  one_thread waiting(0, 1);
  waiting.block.interval = 1;
  waiting.acquire(phase);
  for (std::size_t i = 0; i != before.size(); ++i) {
    EXPECT_TRUE(waiting.knows(before[i]));
    EXPECT_FALSE(waiting.knows(after[i]));
  }
}

// Whatever is forgotten counts as known.
TEST(clock, bounds_forget_no_order) {
  knowledge_ref all;
  std::vector<epoch> done;
  for (std::uint32_t block = 0; block != 3000; ++block) {
    one_thread t(block, static_cast<std::uint16_t>(block % 256));
    done.push_back(t.act());
    all = knowledge::join(all, t.release());
  }
  EXPECT_LE(all->size(), 512u);
  for (const epoch &e : done)
    EXPECT_TRUE(all->covers(e));
  EXPECT_FALSE(all->covers({next_stamp(), 5000, 0}));
}

TEST(clock, many_threads_of_a_warp_count_as_the_warp) {
  knowledge_ref all;
  std::vector<epoch> done;
  for (std::uint16_t lane = 0; lane != 32; ++lane) {
    one_thread t(0, lane);
    t.block.interval = 1;
    done.push_back(t.act());
    all = knowledge::join(all, t.release());
  }
  EXPECT_LE(all->size(), 16u);
  for (const epoch &e : done)
    EXPECT_TRUE(all->covers(e));
  EXPECT_FALSE(all->covers({done[0].time, 0, 32}));
}

} // namespace
} // namespace tessera::emulate
