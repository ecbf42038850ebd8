// The steps that every kind of access shares: its offset, its entry in the history, and the report.
#pragma once

#include "block.h"
#include "race.h"

#include <bit>
#include <mutex>

namespace tessera::emulate {

inline access make_access(const observer &by, std::size_t bytes, access_kind kind,
                          const void *location) {
  return {.time = by.now,
          .block = by.block,
          .location = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(location)),
          .thread = by.thread,
          .size_log = static_cast<unsigned>(std::countr_zero(bytes)),
          .of_kind = static_cast<unsigned>(kind),
          .operation = by.operation,
          .is_agreed = 0,
          .is_bulk = 0};
}

// The offset of an access that is inside and aligned to its size; otherwise reports it and returns
// no_offset.
inline std::size_t checked_offset(block_runner &runner, const void *at, std::size_t count,
                                  const char *verb, const void *location) {
  std::size_t offset = runner.shared_offset(at, count);
  if (offset == block_runner::no_offset) {
    report_shared_range(runner, static_cast<const std::byte *>(at) - runner.block().shared, count,
                        verb, location);
  } else if (offset % count != 0) {
    report_shared_alignment(runner, offset, count, verb, location);
    return block_runner::no_offset;
  }
  return offset;
}

// A locked page; a fault unlocks it.
class held_page {
public:
  held_page(block_runner &runner, page &p) : runner(runner), lock(p.lock), before(runner.held) {
    lock.lock();
    runner.held = &lock;
  }
  ~held_page() {
    runner.held = before;
    lock.unlock();
  }
  held_page(const held_page &) = delete;
  held_page &operator=(const held_page &) = delete;

private:
  block_runner &runner;
  spin_lock &lock;
  spin_lock *const before;
};

// Bytes of global memory whose next write is looked for, and what it calls: no launch runs while
// they change. Empty: none.
struct watched_bytes {
  std::uintptr_t begin = 0, end = 0;

  bool has(std::uintptr_t address, std::size_t count) const {
    return address < end && address + count > begin;
  }
};
inline constinit watched_bytes watched;
void note_watched_write();

// Records an access to global memory and performs it in one step: step(page or null). Reports its
// errors; an access outside of its allocation is not performed.
template <class Step> void access_global(block_runner &runner, const void *at, std::size_t count,
                                         access_kind kind, const void *location, Step step) {
  auto address = reinterpret_cast<std::uintptr_t>(at);
  if (watched.has(address, count) && kind != access_kind::read && kind != access_kind::atomic_read)
    note_watched_write();
  if (address % count != 0) {
    report_global_alignment(runner, address, count, verb_of(kind), location);
    step(nullptr, 0, observer{}, access{});
    return;
  }
  observer by = runner.now();
  access a = make_access(by, count, kind, location);
  page *p = runner.global_pages.find(address);
  clash found;
  bool outside = false;
  if (p) {
    const held_page holding(runner, *p);
    outside = is_outside(*p, address, count) && !runner.is_local(address);
    if (!outside)
      found = step(&p->bytes, address % page::size, by, a);
  } else {
    step(nullptr, 0, by, a);
  }
  if (outside)
    report_outside(runner, address, count, verb_of(kind), location);
  if (found)
    report_race(runner, memory_space::global, address - address % page::size, a, address, found,
                location);
}

inline void report_shared_race(block_runner &runner, const access &a, std::size_t offset,
                               const clash &found, const void *location) {
  if (found)
    report_race(runner, memory_space::shared, 0, a, offset, found, location);
}

// Does the asynchronous proxy see an access of a thread of this block that is known here? Either
// the thread's own fence followed it and is known, or a fence of the running thread followed after
// it became known. A fence of shared memory does not cover global memory.
bool is_fenced(block_runner &runner, const epoch &access, memory_space space);

// The asynchronous proxy reads 16 bytes of shared memory, at some time between two points of the
// running thread. At the first, writes there must be known and fenced; at the second, there must be
// no other writes (`before`: what was known at the first), and later writers must know of it.
inline constexpr int async_chunk = 16;
void begin_read_async(block_runner &runner, std::size_t at, const void *location);
void end_read_async(block_runner &runner, const observer &before, std::size_t at,
                    const void *location);

} // namespace tessera::emulate
