// Checked accesses: the offset of the address, the rules of the history, and the bytes themselves.
#include "checked.h"

#include <tessera/emulate/memory.h>

#include <algorithm>
#include <cstring>

namespace tessera::emulate {
namespace {

// The source was checked when the copy began; later writers race with the copy.
void perform(block_runner &runner, const async_copy &copy) {
  if (copy.valid_bytes)
    access_global(runner, copy.from, copy.bytes, access_kind::read, copy.location,
                  [&](history *bytes, std::size_t first, observer by, const access &) {
                    clash found;
                    by.own_until = copy.begin;
                    by.interval = copy.interval;
                    by.more = copy.known.get();
                    if (bytes)
                      found = bytes->look(by, first, copy.bytes);
                    std::memcpy(copy.to, copy.from, copy.valid_bytes);
                    return found;
                  });
  std::memset(copy.to + copy.valid_bytes, 0, copy.bytes - copy.valid_bytes);
  runner.shared_bytes.end_copy(
      make_access(runner.now(), copy.bytes, access_kind::write, copy.location),
      runner.shared_offset(copy.to, copy.bytes), copy.bytes);
}

void complete_groups_before(std::uint32_t end) {
  block_runner &runner = running_block();
  std::vector<async_copy> &copies = runner.running().copies;
  auto rest = std::find_if(copies.begin(), copies.end(),
                           [&](const async_copy &copy) { return copy.group >= end; });
  std::for_each(copies.begin(), rest, [&](const async_copy &copy) { perform(runner, copy); });
  copies.erase(copies.begin(), rest);
}

} // namespace

bool is_fenced(block_runner &runner, const epoch &access, memory_space space) {
  const auto of_space =
      space == memory_space::shared ? &thread::shared_fences : &thread::memory_fences;
  const knowledge_ref &known = (runner.running().*of_space).known;
  if (known && known->covers(access))
    return true;
  const std::vector<stamp> &times = (runner.thread_of(access.thread).*of_space).times;
  auto next = std::lower_bound(times.begin(), times.end(), access.time);
  return next != times.end() && runner.now().knows({*next, access.block, access.thread});
}

void begin_read_async(block_runner &runner, std::size_t at, const void *location) {
  const std::byte *byte = runner.block().shared + at;
  if (checked_offset(runner, byte, async_chunk, "reads", location) == block_runner::no_offset)
    return;
  observer by = runner.now();
  access a = make_access(by, async_chunk, access_kind::read, location);
  clash found = runner.shared_bytes.read(by, a, at, async_chunk);
  if (!found)
    found = runner.shared_bytes.look_for_unfenced(at, async_chunk, [&](const epoch &write) {
      return is_fenced(runner, write, memory_space::shared);
    });
  report_shared_race(runner, a, at, found, location);
}

void end_read_async(block_runner &runner, const observer &before, std::size_t at,
                    const void *location) {
  if (at + async_chunk > runner.block().shared_bytes)
    return;
  observer now = runner.now();
  clash found = runner.shared_bytes.look(before, at, async_chunk);
  report_shared_race(runner, make_access(before, async_chunk, access_kind::read, location), at,
                     found, location);
  runner.shared_bytes.read(now, make_access(now, async_chunk, access_kind::read, location), at,
                           async_chunk);
}

namespace {

void fence(proxy_fences &fences) {
  block_runner &runner = running_block();
  thread &t = runner.running();
  fences.times.push_back(t.clock.now(runner.clock()));
  fences.known = t.clock.release(runner.clock(), t.number);
}

} // namespace

void fence_async() { fence(running_block().running().shared_fences); }

void fence_async_memory() {
  fence_async();
  fence(running_block().running().memory_fences);
}

void read_shared(const void *from, void *to, std::size_t bytes, const void *location) {
  if (!location)
    location = __builtin_return_address(0);
  block_runner &runner = running_block();
  std::size_t offset = checked_offset(runner, from, bytes, "reads", location);
  if (offset == block_runner::no_offset) {
    std::memset(to, 0, bytes);
    return;
  }
  observer by = runner.now();
  access a = make_access(by, bytes, access_kind::read, location);
  report_shared_race(runner, a, offset, runner.shared_bytes.read(by, a, offset, bytes), location);
  std::memcpy(to, from, bytes);
}

void write_shared(void *to, const void *from, std::size_t bytes, const void *location) {
  if (!location)
    location = __builtin_return_address(0);
  block_runner &runner = running_block();
  std::size_t offset = checked_offset(runner, to, bytes, "writes", location);
  if (offset == block_runner::no_offset)
    return;
  observer by = runner.now();
  access a = make_access(by, bytes, access_kind::write, location);
  report_shared_race(runner, a, offset, runner.shared_bytes.write(by, a, offset, bytes), location);
  std::memcpy(to, from, bytes);
}

void copy_async(void *shared, const void *global, std::size_t bytes, std::size_t valid_bytes) {
  const void *location = __builtin_return_address(0);
  block_runner &runner = running_block();
  std::size_t offset = checked_offset(runner, shared, bytes, "copies to", location);
  if (offset == block_runner::no_offset)
    return;
  observer by = runner.now();
  access a = make_access(by, bytes, access_kind::copy_in_flight, location);
  report_shared_race(runner, a, offset, runner.shared_bytes.write(by, a, offset, bytes), location);
  if (valid_bytes)
    access_global(runner, global, bytes, access_kind::read, location,
                  [&](history *pages, std::size_t first, const observer &, const access &read) {
                    return pages ? pages->read(by, read, first, bytes) : clash();
                  });
  thread &t = runner.running();
  t.copies.push_back({static_cast<std::byte *>(shared), global, bytes, valid_bytes, t.open_group,
                      location, by.now, by.interval, t.clock.known(runner.clock())});
}

void commit_async() { ++running_block().running().open_group; }

void wait_async(unsigned pending) {
  std::uint32_t committed = running_block().running().open_group;
  complete_groups_before(committed - std::min(committed, pending));
}

void read_global(const void *from, void *to, std::size_t bytes) {
  std::memset(to, 0, bytes);
  access_global(running_block(), from, bytes, access_kind::read, __builtin_return_address(0),
                [&](history *pages, std::size_t first, const observer &by, const access &a) {
                  clash found = pages ? pages->read(by, a, first, bytes) : clash();
                  std::memcpy(to, from, bytes);
                  return found;
                });
}

void write_global(void *to, const void *from, std::size_t bytes) {
  access_global(running_block(), to, bytes, access_kind::write, __builtin_return_address(0),
                [&](history *pages, std::size_t first, const observer &by, const access &a) {
                  clash found =
                      pages ? pages->write(by, a, first, bytes, static_cast<const std::byte *>(to),
                                           static_cast<const std::byte *>(from))
                            : clash();
                  std::memcpy(to, from, bytes);
                  return found;
                });
}

void next_store() {
  thread &t = running_block().running();
  t.operation = static_cast<std::uint16_t>(t.operation % 0x3FFF + 1);
}

void note_atomic(const void *at, std::size_t bytes, atomic_effect effect, reach scope,
                 const void *location) {
  bool is_wide = scope == reach::device;
  access_kind kind =
      effect == atomic_effect::read
          ? (is_wide ? access_kind::atomic_read : access_kind::atomic_read_in_block)
          : (is_wide ? access_kind::atomic_write : access_kind::atomic_write_in_block);
  block_runner &runner = running_block();
  std::size_t offset = runner.shared_offset(at, bytes);
  if (offset != block_runner::no_offset) {
    observer by = runner.now();
    access a = make_access(by, bytes, kind, location);
    report_shared_race(runner, a, offset,
                       runner.shared_bytes.touch_atomically(by, a, offset, bytes), location);
    return;
  }
  access_global(runner, at, bytes, kind, location,
                [&](history *pages, std::size_t first, const observer &by, const access &a) {
                  return pages ? pages->touch_atomically(by, a, first, bytes) : clash();
                });
}

} // namespace tessera::emulate
