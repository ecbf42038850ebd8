// The rules of races, access by access. Threads 0 and 1 are of warp 0, 32 and 33 of warp 1.
#include "byte_shadow.h"

#include <gtest/gtest.h>

namespace tessera::emulate {
namespace {

struct shadow_of_one_byte : testing::Test {
  shadow bytes;
  std::uint32_t interval = 1;
  std::uint32_t warp_interval = 0; // of every warp

  shadow_of_one_byte() { bytes.begin_block(1, interval); }

  moment now(std::uint16_t thread) const { return {interval, warp_interval, thread}; }
  clash_kind read(std::uint16_t thread) { return bytes.read(0, 1, now(thread)).kind; }
  clash_kind write(std::uint16_t thread) { return bytes.write(0, 1, now(thread)).kind; }
  void barrier() { ++interval; }
  void warp_barrier() { ++warp_interval; }
};

TEST_F(shadow_of_one_byte, a_thread_is_ordered_with_itself) {
  EXPECT_EQ(write(1), clash_kind::none);
  EXPECT_EQ(read(1), clash_kind::none);
  EXPECT_EQ(write(1), clash_kind::none);
}

TEST_F(shadow_of_one_byte, reads_never_clash_with_reads) {
  write(0);
  barrier();
  for (std::uint16_t thread : {0, 1, 32, 33})
    EXPECT_EQ(read(thread), clash_kind::none);
}

TEST_F(shadow_of_one_byte, a_read_clashes_with_an_unordered_write) {
  write(0);
  EXPECT_EQ(read(1), clash_kind::with_write);
  EXPECT_EQ(read(32), clash_kind::with_write);
  warp_barrier();
  EXPECT_EQ(read(1), clash_kind::none);
  EXPECT_EQ(read(32), clash_kind::with_write);
  barrier();
  EXPECT_EQ(read(32), clash_kind::none);
}

TEST_F(shadow_of_one_byte, a_write_clashes_with_an_unordered_write) {
  write(0);
  EXPECT_EQ(write(32), clash_kind::with_write);
  warp_barrier();
  EXPECT_EQ(write(33), clash_kind::none);
  EXPECT_EQ(write(0), clash_kind::with_write);
}

TEST_F(shadow_of_one_byte, a_write_clashes_with_an_unordered_read) {
  write(0);
  barrier();
  read(0);
  EXPECT_EQ(write(32), clash_kind::with_read);
  barrier();
  EXPECT_EQ(write(0), clash_kind::none);
}

TEST_F(shadow_of_one_byte, readers_of_one_warp_are_ordered_by_its_barrier) {
  write(0);
  barrier();
  read(0);
  read(1);
  EXPECT_EQ(write(1), clash_kind::with_reads_of_warp);
  barrier();
  read(0);
  read(1);
  warp_barrier();
  EXPECT_EQ(write(1), clash_kind::none);
}

// Thread 0 read before the warp's barrier, thread 1 after it: thread 1 may write.
TEST_F(shadow_of_one_byte, only_the_newest_readers_of_a_warp_count) {
  write(0);
  barrier();
  read(0);
  warp_barrier();
  read(1);
  EXPECT_EQ(write(1), clash_kind::none);
  barrier();
  read(0);
  warp_barrier();
  read(1);
  EXPECT_EQ(write(32), clash_kind::with_read);
}

TEST_F(shadow_of_one_byte, readers_of_several_warps_need_a_barrier) {
  write(0);
  barrier();
  read(0);
  read(32);
  warp_barrier();
  EXPECT_EQ(write(0), clash_kind::with_reads);
  barrier();
  EXPECT_EQ(write(0), clash_kind::none);
}

TEST_F(shadow_of_one_byte, a_new_block_has_written_nothing) {
  EXPECT_EQ(read(0), clash_kind::unwritten);
  write(0);
  barrier();
  EXPECT_EQ(read(0), clash_kind::none);
  bytes.begin_block(1, ++interval);
  EXPECT_EQ(read(0), clash_kind::unwritten);
}

TEST_F(shadow_of_one_byte, an_asynchronous_write_lasts_until_its_end) {
  bytes.begin_async_write(0, 1, now(0));
  EXPECT_EQ(read(0), clash_kind::in_flight);
  barrier();
  EXPECT_EQ(write(32), clash_kind::in_flight);
  bytes.end_async_write(0, 1, now(0));
  EXPECT_EQ(read(0), clash_kind::none);
  EXPECT_EQ(read(32), clash_kind::with_write);
}

TEST(shadow, gives_the_first_byte_that_clashes) {
  shadow bytes;
  bytes.begin_block(16, 1);
  bytes.write(8, 4, {1, 0, 40});
  bytes.write(0, 8, {1, 0, 3});
  clash found = bytes.read(0, 16, {1, 0, 3});
  EXPECT_EQ(found.kind, clash_kind::with_write);
  EXPECT_EQ(found.byte, 8u);
  EXPECT_EQ(found.other, 40);
}

TEST(sparse_shadow, two_writes_do_not_clash) {
  sparse_shadow memory;
  memory.begin_block();
  EXPECT_FALSE(memory.read(0x5000, 16, {1, 0, 0}));
  EXPECT_EQ(memory.write(0x5008, 4, {1, 0, 32}).kind, clash_kind::with_read);
  EXPECT_FALSE(memory.write(0x5008, 4, {1, 0, 64}));
  EXPECT_EQ(memory.read(0x5000, 16, {1, 0, 0}).kind, clash_kind::with_write);
  EXPECT_FALSE(memory.read(0x5000, 16, {2, 0, 0}));
}

// Pages that served one block serve the next, and remember nothing that matters to it.
TEST(sparse_shadow, pages_are_used_again) {
  sparse_shadow memory;
  for (std::uint32_t block = 1; block != 4; ++block) {
    memory.begin_block();
    for (std::uintptr_t page = 0; page != 200; ++page) {
      EXPECT_FALSE(memory.write((page * 7 + block) << 12, 4,
                                {block, 0, static_cast<std::uint16_t>(32 * block)}));
      EXPECT_EQ(memory.read((page * 7 + block) << 12, 4, {block, 0, 0}).kind,
                clash_kind::with_write);
    }
  }
}

} // namespace
} // namespace tessera::emulate
