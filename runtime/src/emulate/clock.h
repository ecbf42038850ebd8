// Vector clocks of the threads of a grid, compressed by its structure: which accesses a thread is
// ordered after.
//
// A stamp is a number that grows with every barrier, release and launch of the process. An access
// carries its thread and that thread's stamp. A thread knows an access if it is ordered after it:
//   * its own accesses, and those of its block before the block's last barrier: one comparison;
//   * all others by `knowledge`, which warp barriers, acquires and the like bring: a sorted list of
//     facts "block b (its warp w, its thread t) up to a stamp", shared by all threads with the same
//     knowledge.
// Lists are bounded. Facts that do not fit count as known: a race may be missed, but none is
// invented.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tessera::emulate {

using stamp = std::uint32_t;

// Later than all before it, in the whole process; never 0.
stamp next_stamp();

// The time and thread of an access.
struct epoch {
  stamp time;
  std::uint32_t block;
  std::uint16_t thread;
};

// All accesses of some threads of a block up to a time, inclusive; or what a warp has read alone.
struct fact {
  std::uint32_t block;
  std::uint32_t who;
  stamp until;

  static constexpr std::uint32_t everyone = 0;
  static constexpr std::uint32_t warp(unsigned number) { return 1 + number; }
  static constexpr std::uint32_t reads_of_warp(unsigned number) { return 33 + number; }
  static constexpr std::uint32_t thread(unsigned number) { return 65 + number; }
};

class knowledge;
using knowledge_ref = std::shared_ptr<const knowledge>; // null: nothing

class knowledge {
public:
  bool covers(const epoch &e, bool is_read = false) const;
  std::size_t size() const { return facts_.size(); }

  // The union of a, b and `more`.
  static knowledge_ref join(const knowledge_ref &a, const knowledge_ref &b,
                            std::span<const fact> more = {});

private:
  static constexpr std::size_t max_facts = 512;
  static constexpr unsigned max_threads_of_warp = 8;

  void add_block(std::span<const fact> sorted);
  void forget_oldest();

  std::vector<fact> facts_; // by block, then who
  stamp assumed_ = 0;       // everything up to this counts as known
};

// The clock of a block: what all of its threads know.
struct block_clock {
  std::uint32_t block = 0;
  stamp interval = 0; // since the last barrier; everything of the block before it is known
  knowledge_ref known;

  void begin(std::uint32_t number);
};

// The clock of a thread.
class thread_clock {
public:
  void begin() { *this = thread_clock(); }

  stamp now(const block_clock &b) const { return time_ > b.interval ? time_ : b.interval; }
  const knowledge_ref &known(const block_clock &b) const { return learnt_ ? learnt_ : b.known; }

  // What an acquire of it learns; later actions of the thread are not part of it.
  knowledge_ref release(const block_clock &b, unsigned thread);
  void acquire(const block_clock &b, const knowledge_ref &published);

  // After a barrier, whose participants all know `all`: their later accesses are not part of it.
  void pass_barrier(const knowledge_ref &all, stamp later);
  void pass_block_barrier() { learnt_.reset(); }
  // Later accesses have a later time.
  void step(stamp later) { time_ = later; }
  const knowledge_ref &learnt() const { return learnt_; }

  // Fences: what relaxed writes after the last one publish, and what relaxed reads saw that the
  // next one acquires. Narrow: within the block, which includes the wide.
  struct by_scope {
    knowledge_ref wide, narrow;
  };
  by_scope fenced, seen;

private:
  stamp time_ = 0;
  knowledge_ref learnt_;        // null: what the block knows
  knowledge_ref last_acquired_; // a polling loop acquires the same again and again
};

// A thread that accesses memory, now.
struct observer {
  std::uint32_t block;
  std::uint16_t thread;
  std::uint16_t operation; // the number of the store of the tile program, or 0
  stamp now;
  stamp interval;
  const knowledge *more;
  stamp own_until = ~stamp(0); // of its own accesses, for an observation at an earlier time

  bool knows(const epoch &e, bool is_read = false) const {
    if (e.block == block && ((e.thread == thread && e.time <= own_until) || e.time < interval))
      return true;
    return more && more->covers(e, is_read);
  }
};

} // namespace tessera::emulate
