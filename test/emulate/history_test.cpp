// The rules of races, access by access. Threads 0 and 1 are of warp 0, 32 and 33 of warp 1.
#include "history.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tessera::emulate {
namespace {

constexpr history_rules of_shared{true, false, true, 64};
constexpr history_rules of_global{false, true, false, 16};

// Memory, the clock of the block that uses it, and nothing known beyond its barriers.
struct memory_and_clock {
  history bytes;
  stamp interval = 2;
  std::uint32_t block = 0;
  std::uint16_t operation = 0;
  knowledge_ref known;

  explicit memory_and_clock(history_rules rules) : bytes(64, rules) {}

  observer by(std::uint16_t thread) const {
    return {block, thread, operation, interval, interval, known.get()};
  }
  access make(std::uint16_t thread, access_kind kind, unsigned size_log) const {
    return {interval, block, 0, thread, size_log, static_cast<unsigned>(kind), operation, 0, 0};
  }
  clash_kind read(std::uint16_t thread, std::size_t first = 0, unsigned size_log = 0) {
    return bytes.read(by(thread), make(thread, access_kind::read, size_log), first, 1u << size_log)
        .kind;
  }
  clash_kind write(std::uint16_t thread, std::size_t first = 0, unsigned size_log = 0) {
    return bytes
        .write(by(thread), make(thread, access_kind::write, size_log), first, 1u << size_log)
        .kind;
  }
  clash_kind write_value(std::uint16_t thread, int before, int after) {
    return bytes
        .write(by(thread), make(thread, access_kind::write, 2), 0, 4,
               reinterpret_cast<const std::byte *>(&before),
               reinterpret_cast<const std::byte *>(&after))
        .kind;
  }
  clash_kind atomic(std::uint16_t thread, access_kind kind) {
    return bytes.touch_atomically(by(thread), make(thread, kind, 2), 0, 4).kind;
  }
  void barrier() { ++interval; }
  // Warp 0 knows what it did.
  void warp_barrier() {
    const fact done[] = {{block, fact::warp(0), interval}};
    known = knowledge::join(known, nullptr, done);
  }
};

struct shared_history : testing::Test, memory_and_clock {
  shared_history() : memory_and_clock(of_shared) {}
};
struct global_history : testing::Test, memory_and_clock {
  global_history() : memory_and_clock(of_global) {}
};

TEST_F(shared_history, a_thread_is_ordered_with_itself) {
  EXPECT_EQ(write(1), clash_kind::none);
  EXPECT_EQ(read(1), clash_kind::none);
  EXPECT_EQ(write(1), clash_kind::none);
}

TEST_F(shared_history, reads_never_clash_with_reads) {
  write(0);
  barrier();
  for (std::uint16_t thread : {0, 1, 32, 33})
    EXPECT_EQ(read(thread), clash_kind::none);
}

TEST_F(shared_history, a_read_clashes_with_an_unordered_write) {
  write(0);
  EXPECT_EQ(read(1), clash_kind::unordered);
  EXPECT_EQ(read(32), clash_kind::unordered);
  barrier();
  EXPECT_EQ(read(32), clash_kind::none);
}

TEST_F(shared_history, a_write_clashes_with_an_unordered_write) {
  write(0);
  EXPECT_EQ(write(32), clash_kind::unordered);
  barrier();
  EXPECT_EQ(write(33), clash_kind::none);
}

TEST_F(shared_history, a_warps_barrier_orders_the_warp) {
  write(0);
  warp_barrier();
  EXPECT_EQ(read(1), clash_kind::none);
  EXPECT_EQ(write(1), clash_kind::none);
}

// Every reader counts, not only the last.
TEST_F(shared_history, a_write_clashes_with_each_unordered_read) {
  write(0);
  barrier();
  for (std::uint16_t thread : {0, 1, 32, 33, 64})
    read(thread);
  EXPECT_EQ(write(64), clash_kind::unordered);
  barrier();
  EXPECT_EQ(write(0), clash_kind::none);
}

TEST_F(shared_history, reads_that_are_known_do_not_count) {
  write(0);
  barrier();
  for (std::uint16_t thread : {0, 1, 31})
    read(thread);
  warp_barrier();
  EXPECT_EQ(write(32), clash_kind::none);
}

TEST_F(shared_history, nothing_may_be_read_before_it_is_written) {
  EXPECT_EQ(read(0), clash_kind::unwritten);
  write(0);
  EXPECT_EQ(read(0), clash_kind::none);
  bytes.reset(64);
  EXPECT_EQ(read(0), clash_kind::unwritten);
}

TEST_F(shared_history, an_asynchronous_write_lasts_until_its_end) {
  bytes.begin_copy(by(0), make(0, access_kind::copy_in_flight, 4), 0, 16);
  EXPECT_EQ(read(0, 4, 2), clash_kind::in_flight);
  barrier();
  EXPECT_EQ(write(32, 8, 2), clash_kind::in_flight);
  bytes.end_copy(make(0, access_kind::write, 4), 0, 16);
  EXPECT_EQ(read(0, 0, 4), clash_kind::none);
  EXPECT_EQ(read(32, 12, 2), clash_kind::unordered);
}

// Bytes are kept apart however wide the accesses before were, and put together again.
TEST_F(shared_history, bytes_are_exact) {
  for (std::uint16_t thread = 0; thread != 16; ++thread)
    EXPECT_EQ(write(thread, thread), clash_kind::none);
  for (std::uint16_t thread = 0; thread != 16; ++thread)
    EXPECT_EQ(read(thread, thread), clash_kind::none);
  EXPECT_EQ(read(5, 4, 1), clash_kind::unordered);
  barrier();
  EXPECT_EQ(read(40, 0, 4), clash_kind::none);
  EXPECT_EQ(write(41, 15), clash_kind::unordered);
  EXPECT_EQ(write(40, 8, 2), clash_kind::none);
  EXPECT_EQ(read(40, 0, 3), clash_kind::none);
}

TEST_F(shared_history, gives_the_first_byte_that_clashes) {
  write(40, 8, 2);
  write(3, 0, 3);
  clash found = bytes.read(by(3), make(3, access_kind::read, 4), 0, 16);
  EXPECT_EQ(found.byte, 8u);
  EXPECT_EQ(found.other.thread, 40u);
  EXPECT_EQ(found.other.size(), 4u);
}

TEST_F(global_history, blocks_are_not_ordered_by_barriers) {
  write(0);
  barrier();
  block = 1;
  EXPECT_EQ(read(0), clash_kind::unordered);
}

TEST_F(global_history, reads_of_other_blocks_count) {
  for (block = 0; block != 40; ++block)
    EXPECT_EQ(read(0), clash_kind::none);
  block = 3;
  EXPECT_EQ(write(0), clash_kind::unordered);
}

// Which of two elements that one store writes to a place stays is left open; two stores have an
// order.
TEST_F(global_history, writes_of_one_store_do_not_clash) {
  operation = 1;
  EXPECT_EQ(write(0), clash_kind::none);
  EXPECT_EQ(write(40), clash_kind::none);
  operation = 2;
  EXPECT_EQ(write(0), clash_kind::unordered);
  barrier();
  operation = 3;
  EXPECT_EQ(write(40), clash_kind::none);
}

TEST_F(global_history, blocks_may_write_one_value) {
  write_value(0, 0, 7);
  block = 1;
  EXPECT_EQ(write_value(0, 7, 7), clash_kind::none);
  EXPECT_EQ(read(0, 0, 2), clash_kind::none);
  block = 0;
  EXPECT_EQ(read(0, 0, 2), clash_kind::none);
  EXPECT_EQ(write_value(0, 7, 8), clash_kind::unordered);
}

TEST(history, strictly_blocks_may_not_write_one_value) {
  memory_and_clock memory({false, true, true, 16});
  memory.write_value(0, 0, 7);
  memory.block = 1;
  EXPECT_EQ(memory.write_value(0, 7, 7), clash_kind::unordered);
}

TEST_F(global_history, atomics_of_wide_scope_never_clash) {
  for (block = 0; block != 3; ++block) {
    EXPECT_EQ(atomic(0, access_kind::atomic_write), clash_kind::none);
    EXPECT_EQ(atomic(32, access_kind::atomic_read), clash_kind::none);
  }
}

TEST_F(global_history, atomics_of_block_scope_clash_with_those_of_other_blocks) {
  EXPECT_EQ(atomic(0, access_kind::atomic_write_in_block), clash_kind::none);
  EXPECT_EQ(atomic(32, access_kind::atomic_write_in_block), clash_kind::none);
  block = 1;
  EXPECT_EQ(atomic(0, access_kind::atomic_write), clash_kind::unordered);
  EXPECT_EQ(atomic(0, access_kind::atomic_read_in_block), clash_kind::unordered);
}

TEST_F(global_history, a_plain_access_clashes_with_an_atomic) {
  EXPECT_EQ(atomic(0, access_kind::atomic_write), clash_kind::none);
  EXPECT_EQ(read(1, 0, 2), clash_kind::unordered);
  EXPECT_EQ(write(0, 0, 2), clash_kind::unordered); // with the read
  EXPECT_EQ(atomic(1, access_kind::atomic_read), clash_kind::unordered);
  barrier();
  EXPECT_EQ(read(1, 0, 2), clash_kind::none);
  EXPECT_EQ(atomic(40, access_kind::atomic_read), clash_kind::none);
  EXPECT_EQ(atomic(40, access_kind::atomic_write), clash_kind::unordered); // with the read
}

// All atomic writes count, not only the last.
TEST_F(global_history, a_read_clashes_with_each_unordered_atomic) {
  EXPECT_EQ(atomic(0, access_kind::atomic_write), clash_kind::none);
  EXPECT_EQ(atomic(40, access_kind::atomic_write), clash_kind::none);
  EXPECT_EQ(read(40, 0, 2), clash_kind::unordered);
}

} // namespace
} // namespace tessera::emulate
