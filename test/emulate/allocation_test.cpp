// Device memory lies between guards: what is outside of an allocation is reported with the one that
// is nearest.
#include "reports.h"

#include <tessera/arch/arch.cuh>
#include <tessera/host/allocations.h>

#include <cstdlib>

namespace tessera::emulate {
namespace {

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

// Memory that nobody allocated on the device may be the host's.
TEST(allocations, other_memory_is_not_looked_at) {
  alignas(16) static char of_host[64];
  expect_none(run_and_report(1, 0, [] { arch::load_global<16>(of_host); }));
}

} // namespace
} // namespace tessera::emulate
