// The history of global memory, which all blocks of a launch share: pages of it, made on first
// access and locked while in use. Each page also knows the device's allocations in it, so that an
// access outside of every allocation is found.
#pragma once

#include "history.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace tessera::emulate {

class spin_lock {
public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire))
      while (flag_.test(std::memory_order_relaxed))
        ;
  }
  void unlock() { flag_.clear(std::memory_order_release); }

private:
  std::atomic_flag flag_;
};

struct page {
  static constexpr std::size_t size = 4096;

  explicit page(history_rules rules) : bytes(size, rules) {}

  spin_lock lock;
  unsigned launch = 0;                       // of the history
  unsigned allocations = 0;                  // of the allocation table, for the members below
  bool has_allocations = false;              // or their guards
  bool is_foreign = false;                   // memory outside of allocations is not the device's
  std::uintptr_t inside = 0, inside_end = 0; // known to be in an allocation
  history bytes;
};

// Pages of all blocks.
class global_memory {
public:
  global_memory();

  // Kernels of a stream are ordered: accesses before a launch do not matter.
  void begin_launch();
  unsigned launch() const { return launch_; }

  // Null if there are too many pages.
  page *find(std::uintptr_t number);

  // The last write of a byte in the last launch. Not while one runs.
  std::optional<access> last_write(std::uintptr_t address);

private:
  static constexpr std::size_t shards = 16, kept_pages = 256, max_pages = 1 << 16;

  struct shard {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, std::unique_ptr<page>> pages;
  };
  std::array<shard, shards> shards_;
  unsigned launch_ = 0;
  const history_rules rules_;
};

// The recent look-ups of one OS thread; empty in a new launch.
class page_cache {
public:
  void begin_block(global_memory &memory);
  page *find(std::uintptr_t address);

private:
  static constexpr std::size_t entries = 64;

  struct entry {
    std::uintptr_t number;
    page *found;
  };
  global_memory *memory_ = nullptr;
  unsigned launch_ = 0;
  std::array<entry, entries> entries_{};
};

// The pages of the process.
global_memory &all_global_memory();

// Is [first, first + count), or a part of it, outside of what a kernel may access? Accessible are
// the device's allocations, registered host memory, and the variables of the program and its
// libraries (a host's own look like a device's). The page is locked.
bool is_outside(page &p, std::uintptr_t first, std::size_t count);

} // namespace tessera::emulate
