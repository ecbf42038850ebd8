// Checked accesses: the offset of the address, the rules of the shadow, the bytes themselves, and
// the words of each report.
#include "block.h"
#include "reporting.h"

#include <tessera/emulate/memory.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tessera::emulate {
namespace {

std::string name_running(const block_runner &runner) {
  return name_block(runner.block()) + ": " + name_thread(current->number);
}

std::string name_bytes(std::size_t first, std::size_t count) {
  return count == 1 ? "byte " + std::to_string(first)
                    : "bytes " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

// `byte` is the first that clashes.
std::string describe(const clash &found, const std::string &byte) {
  bool is_same_warp = found.other / warp_size == current->warp();
  std::string unordered =
      is_same_warp ? " with no warp barrier between them" : " with no barrier between them";
  switch (found.kind) {
  case clash_kind::with_write: return byte + " written by " + name_thread(found.other) + unordered;
  case clash_kind::with_read: return byte + " read by " + name_thread(found.other) + unordered;
  case clash_kind::with_reads_of_warp:
    return byte + " read by several threads of warp " + std::to_string(found.other / warp_size) +
           unordered;
  case clash_kind::with_reads: return byte + " read by several warps with no barrier between them";
  case clash_kind::unwritten: return byte + ", which nothing has written";
  case clash_kind::in_flight:
    return byte + ", which a cp.async of " + name_thread(found.other) +
           " is still to write: it has not been waited for";
  case clash_kind::none: break;
  }
  return byte;
}

void report_shared_clash(block_runner &runner, const clash &found, const char *verb,
                         const void *place) {
  if (!found)
    return;
  const char *kind = found.kind == clash_kind::unwritten ? "read of uninitialised shared memory: "
                                                         : "race in shared memory: ";
  report(kind, runner.block().kernel, place, [&] {
    std::string byte = std::string(" ") + verb + " byte " + std::to_string(found.byte);
    return kind + name_running(runner) + describe(found, byte);
  });
}

std::string name_address(std::uintptr_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
  return text;
}

void report_global_clash(block_runner &runner, const clash &found, const void *at, const char *verb,
                         const void *place) {
  if (!found)
    return;
  report("race in global memory", runner.block().kernel, place, [&] {
    std::string byte = std::string(" ") + verb + " memory at " +
                       name_address(reinterpret_cast<std::uintptr_t>(at));
    return "race in global memory: " + name_running(runner) + describe(found, byte);
  });
}

// A misaligned access is reported and not looked at further.
bool is_aligned_in_global(block_runner &runner, const void *at, std::size_t count, const char *verb,
                          const void *place) {
  auto address = reinterpret_cast<std::uintptr_t>(at);
  if (address % count == 0)
    return true;
  report("alignment", runner.block().kernel, place, [&] {
    return "misaligned access to global memory: " + name_running(runner) + " " + verb + " " +
           std::to_string(count) + " bytes at " + name_address(address);
  });
  return false;
}

// The offset of an access that is inside and aligned to its size; otherwise reports it and gives
// no_offset.
std::size_t checked_offset(block_runner &runner, const void *at, std::size_t count,
                           const char *verb, const void *place) {
  const block_context &block = runner.block();
  std::size_t offset = runner.shared_offset(at, count);
  if (offset == block_runner::no_offset) {
    std::ptrdiff_t distance = static_cast<const std::byte *>(at) - block.shared;
    report("range", block.kernel, place, [&] {
      return "shared memory out of range: " + name_running(runner) + " " + verb + " " +
             std::to_string(count) + " bytes at offset " + std::to_string(distance) + " of " +
             std::to_string(block.shared_bytes) + " bytes";
    });
  } else if (offset % count != 0) {
    report("alignment", block.kernel, place, [&] {
      return "misaligned access to shared memory: " + name_running(runner) + " " + verb + " " +
             name_bytes(offset, count);
    });
  }
  return offset;
}

void note_global_read(block_runner &runner, const void *from, std::size_t count,
                      const void *place) {
  if (is_aligned_in_global(runner, from, count, "reads", place))
    report_global_clash(
        runner,
        runner.global_bytes.read(reinterpret_cast<std::uintptr_t>(from), count, runner.now()), from,
        "reads", place);
}

void perform(block_runner &runner, const async_copy &copy) {
  if (copy.valid_bytes)
    note_global_read(runner, copy.from, copy.bytes, copy.place);
  std::memcpy(copy.to, copy.from, copy.valid_bytes);
  std::memset(copy.to + copy.valid_bytes, 0, copy.bytes - copy.valid_bytes);
  runner.shared_bytes.end_async_write(runner.shared_offset(copy.to, copy.bytes), copy.bytes,
                                      runner.now());
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

void read_shared(const void *from, void *to, std::size_t bytes, const void *place) {
  if (!place)
    place = __builtin_return_address(0);
  block_runner &runner = running_block();
  std::size_t offset = checked_offset(runner, from, bytes, "reads", place);
  if (offset == block_runner::no_offset) {
    std::memset(to, 0, bytes);
    return;
  }
  report_shared_clash(runner, runner.shared_bytes.read(offset, bytes, runner.now()), "reads",
                      place);
  std::memcpy(to, from, bytes);
}

void write_shared(void *to, const void *from, std::size_t bytes) {
  const void *place = __builtin_return_address(0);
  block_runner &runner = running_block();
  std::size_t offset = checked_offset(runner, to, bytes, "writes", place);
  if (offset == block_runner::no_offset)
    return;
  report_shared_clash(runner, runner.shared_bytes.write(offset, bytes, runner.now()), "writes",
                      place);
  std::memcpy(to, from, bytes);
}

void copy_async(void *shared, const void *global, std::size_t bytes, std::size_t valid_bytes) {
  const void *place = __builtin_return_address(0);
  block_runner &runner = running_block();
  std::size_t offset = checked_offset(runner, shared, bytes, "copies to", place);
  if (offset == block_runner::no_offset)
    return;
  report_shared_clash(runner, runner.shared_bytes.begin_async_write(offset, bytes, runner.now()),
                      "copies to", place);
  thread &t = runner.running();
  t.copies.push_back(
      {static_cast<std::byte *>(shared), global, bytes, valid_bytes, t.open_group, place});
}

void commit_async() { ++running_block().running().open_group; }

void wait_async(unsigned pending) {
  std::uint32_t committed = running_block().running().open_group;
  complete_groups_before(committed - std::min(committed, pending));
}

void read_global(const void *from, void *to, std::size_t bytes) {
  note_global_read(running_block(), from, bytes, __builtin_return_address(0));
  std::memcpy(to, from, bytes);
}

void write_global(void *to, const void *from, std::size_t bytes) {
  const void *place = __builtin_return_address(0);
  block_runner &runner = running_block();
  if (is_aligned_in_global(runner, to, bytes, "writes", place))
    report_global_clash(
        runner,
        runner.global_bytes.write(reinterpret_cast<std::uintptr_t>(to), bytes, runner.now()), to,
        "writes", place);
  std::memcpy(to, from, bytes);
}

} // namespace tessera::emulate
