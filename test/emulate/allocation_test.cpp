// Device memory lies between guards: what is outside of an allocation is reported with the one that
// is nearest.
#include "reports.h"

#include <tessera/arch/arch.cuh>
#include <tessera/host/allocations.h>

#include <cstdlib>
#include <memory>

namespace tessera::emulate {
namespace {

// What is reported where all device memory is known.
template <class Body> std::vector<std::string> reading_of_host_memory(Body body) {
  host::allocations().know_all();
  auto reports = run_and_report(1, 0, body);
  host::allocations().know_all(false);
  return reports;
}

struct allocated : testing::Test {
  static constexpr std::size_t guard = 4096;
  std::size_t bytes = 256;
  char *storage = static_cast<char *>(std::aligned_alloc(256, 2 * guard + bytes));
  char *memory = storage + guard;

  allocated() {
    host::allocations().note({reinterpret_cast<std::uintptr_t>(memory), bytes, guard, storage});
  }
  ~allocated() {
    host::allocations().forget(memory);
    std::free(storage);
  }

  // Which is no arithmetic on a pointer.
  void *away(long long bytes) const {
    return reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(memory) +
                                    static_cast<std::uintptr_t>(bytes));
  }

  std::vector<std::string> read(std::ptrdiff_t offset) {
    return run_and_report(1, 0, [&] { arch::load_global<16>(memory + offset); });
  }
};

TEST_F(allocated, accesses_inside_are_fine) {
  expect_none(read(0));
  expect_none(read(240));
}

TEST_F(allocated, accesses_outside_are_reported) {
  expect_one(read(-16), "global memory out of range: kernel kernel, block (0, 0, 0): thread 0",
             "reads 16 bytes at 0x", "16 bytes before the 256 bytes allocated at 0x");
  expect_one(read(256), "0 bytes behind the 256 bytes");
  expect_one(read(4000), "3744 bytes behind the 256 bytes");
}

TEST_F(allocated, what_is_outside_is_not_written) {
  memory[256] = 7;
  expect_one(run_and_report(1, 0, [&] { arch::store_global<4>(memory + 256, {{1}}); }),
             "writes 4 bytes");
  EXPECT_EQ(memory[256], 7);
}

TEST_F(allocated, atomics_are_looked_at) {
  expect_one(run_and_report(1, 0,
                            [&] {
                              arch::atomic_load<order::relaxed, scope::device>(
                                  reinterpret_cast<unsigned *>(memory + 256));
                            }),
             "atomically reads 4 bytes");
}

// A page that was looked at before an allocation changes is looked at again.
TEST_F(allocated, allocations_may_change) {
  expect_none(read(0));
  host::allocations().forget(memory);
  bytes = 16;
  host::allocations().note({reinterpret_cast<std::uintptr_t>(memory), bytes, guard, storage});
  expect_none(read(0));
  expect_one(read(16), "0 bytes behind the 16 bytes");
}

TEST_F(allocated, what_was_freed_is_named) {
  host::allocations().forget(memory);
  expect_one(reading_of_host_memory([&] { arch::load_global<16>(memory + 64); }),
             "192 bytes before the end of the 256 bytes allocated at 0x", "have been freed");
  host::allocations().note({reinterpret_cast<std::uintptr_t>(memory), bytes, guard, storage});
}

// Far from everything, and where an index of 32 bits leads that has wrapped round.
TEST_F(allocated, accesses_far_away_are_reported_and_not_done) {
  EXPECT_THAT(
      reading_of_host_memory([&] { arch::load_global<4>(away(-(16ll << 32))); }),
      testing::ElementsAre(testing::AllOf(
          testing::HasSubstr("out of range"),
          testing::HasSubstr("68719476736 bytes before the 256 bytes"),
          testing::HasSubstr("a 32-bit index that wrapped around would give this address"))));
  expect_one(reading_of_host_memory([&] { arch::load_global<4>(away(256 + (3ll << 40))); }),
             "3298534883328 bytes behind the 256 bytes");
  expect_one(reading_of_host_memory([&] { arch::store_global<8>(nullptr, {}); }),
             "writes 8 bytes at 0x0, a null pointer");
  expect_one(reading_of_host_memory([&] { arch::store_global<4>((void *)16, {}); }),
             "at 0x10, 16 bytes behind a null pointer");
}

// Variables of the program are a device's or a host's; all other memory that nobody allocated on
// the device, nor registered, is the host's.
TEST(allocations, other_memory_is_the_hosts) {
  alignas(16) static char variable[64];
  const auto of_host = std::make_unique<unsigned[]>(64);
  auto access = [&](void *memory) {
    return reading_of_host_memory([=] { arch::store_global<4>(memory, {{1}}); });
  };
  expect_none(access(variable));
  expect_one(access(of_host.get()), "memory of the host: kernel kernel, block (0, 0, 0): thread 0",
             "writes 4 bytes at 0x", "cudaHostRegister");
  EXPECT_EQ(of_host[0], 0u);
  expect_none(run_and_report(1, 0, [&] { arch::store_global<4>(of_host.get(), {{1}}); }));
  host::allocations().note({reinterpret_cast<std::uintptr_t>(of_host.get()), 128, 0, nullptr});
  expect_none(access(of_host.get() + 31));
  expect_one(access(of_host.get() + 32), "0 bytes behind the 128 bytes");
  host::allocations().forget(of_host.get());
  expect_one(access(of_host.get()), "memory of the host");
}

TEST(allocations, a_threads_own_variables_are_its_own) {
  expect_none(reading_of_host_memory([] {
    auto *own = static_cast<unsigned *>(__builtin_alloca(16)); // there, for sanitizers, too
    arch::store_global<4>(own + 2, {{7}});
    EXPECT_EQ(own[2], 7u);
  }));
}

// What the emulator does not see, as in kernels without tiles.
TEST(faults, are_named_and_end_the_launch) {
  const auto reports = run_and_report(64, 0, [] {
    if (current->number == 33)
      *static_cast<volatile int *>(nullptr) = 1;
    block_barrier("barrier", attendance::every_thread);
  });
  expect_one(reports, "kernel kernel, block (0, 0, 0): thread 33 (warp 1): segmentation fault: ",
             "access of 0x0, a null pointer [");
  EXPECT_EQ(why_halted().error, cudaErrorIllegalAddress);
  expect_one(run_and_report(1, 0,
                            [] {
                              volatile int zero = 0;
                              zero = 7 / zero;
                            }),
             "kernel kernel, block (0, 0, 0): an integer is divided by zero");
  EXPECT_EQ(why_halted().error, cudaErrorLaunchFailure);
  EXPECT_TRUE(run(1, 32, 0, [] {}, "kernel"));
}

int deep(volatile int *x) {
  volatile char frame[1024];
  frame[0] = char(*x);
  return *x ? deep(x) + frame[0] : 0;
}
TEST(faults, of_an_exhausted_stack) {
  expect_one(run_and_report(1, 0,
                            [] {
                              volatile int x = 1;
                              x = deep(&x);
                            }),
             "the stack of its thread is exhausted");
}

// An atomic operation locks what is known of its address.
TEST(faults, leave_nothing_locked) {
  for (int i = 0; i < 2; ++i)
    expect_one(run_and_report(1, 0,
                              [] {
                                arch::atomic_load<order::relaxed, scope::device>(
                                    static_cast<unsigned *>(nullptr));
                              }),
               "segmentation fault: access of 0x0, a null pointer");
}

TEST(traps, end_the_launch_with_their_words) {
  EXPECT_FALSE(run(1, 32, 0, [] { trap("x.cu:3: f(): Assertion `x > 0' failed."); }, "kernel"));
  EXPECT_EQ(why_halted().error, cudaErrorAssert);
  EXPECT_THAT(why_halted().message,
              testing::StartsWith("x.cu:3: f(): Assertion `x > 0' failed. [kernel kernel, block "
                                  "(0, 0, 0): thread "));
  expect_none(take_reports());
  EXPECT_FALSE(run(1, 32, 0, [] { trap("trap"); }, "kernel"));
  EXPECT_EQ(why_halted().error, cudaErrorLaunchFailure);
  take_reports();
}

} // namespace
} // namespace tessera::emulate
