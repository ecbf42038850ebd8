// What atomic operations publish: per address, the knowledge that an acquire of it obtains.
#pragma once

#include "global_memory.h"

#include <tessera/emulate/atomic.h>

namespace tessera::emulate {

class atomic_table {
public:
  void begin_launch();

  spin_lock &lock_of(std::uintptr_t address) { return shard_of(address).lock; }

  // The edges of a completed operation: its acquire, and then its release. The address is locked.
  void learn(std::uintptr_t address, const block_clock &block, thread_clock &clock,
             atomic_effect effect, atomic_order order);
  void publish(std::uintptr_t address, const block_clock &block, thread_clock &clock,
               unsigned thread, atomic_effect effect, atomic_order order);

private:
  // What was released here: for the device, and for the threads of one block, which includes it.
  struct location {
    knowledge_ref wide, narrow;
    std::uint32_t block = 0;
  };
  struct shard {
    spin_lock lock;
    std::unordered_map<std::uintptr_t, location> locations;
  };

  shard &shard_of(std::uintptr_t address) { return shards_[address / 4 % shards_.size()]; }
  std::array<shard, 64> shards_;
};

atomic_table &all_atomics();

} // namespace tessera::emulate
