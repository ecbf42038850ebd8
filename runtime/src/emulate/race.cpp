// The contents of reports: who, in which block, does what to which bytes; who did what before; and
// both locations in the code.
#include "race.h"
#include "reporting.h"

#include <tessera/host/allocations.h>

#include <cstdio>

namespace tessera::emulate {
namespace {

std::string name_running(const block_runner &runner) {
  return name_block(runner.block()) + ": " + name_thread(current->number);
}

using host::hexadecimal;

std::string name_byte(memory_space space, std::uintptr_t byte) {
  return space == memory_space::shared ? "byte " + std::to_string(byte)
                                       : "memory at " + hexadecimal(byte);
}

const char *done_of(access_kind kind) {
  switch (kind) {
  case access_kind::read: return "read";
  case access_kind::atomic_read: return "atomically read";
  case access_kind::atomic_read_in_block: return "atomically read, with block scope,";
  case access_kind::atomic_write: return "atomically updated";
  case access_kind::atomic_write_in_block: return "atomically updated, with block scope,";
  case access_kind::none:
  case access_kind::write:
  case access_kind::copy_in_flight: break;
  }
  return "written";
}

std::string name_other(const block_runner &runner, const clash &found) {
  const access &other = found.other;
  const dim3 &grid = runner.block().grid;
  std::string text;
  if (other.block != runner.clock().block) {
    uint3 at = block_at(grid, other.block);
    text = "block (" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " +
           std::to_string(at.z) + "), ";
  }
  return text + (found.of_several_threads
                     ? "several threads of warp " + std::to_string(other.thread / warp_size)
                     : name_thread(other.thread));
}

const char *missing_order(const block_runner &runner, const access &other) {
  if (other.block != runner.clock().block)
    return " with no release and acquire between the blocks";
  return other.thread / warp_size == current->warp() ? " with no warp barrier between them"
                                                     : " with no barrier between them";
}

} // namespace

const void *location_near(const void *location, std::uint32_t low) {
  auto near = reinterpret_cast<std::uintptr_t>(location);
  auto distance = static_cast<std::int32_t>(low - static_cast<std::uint32_t>(near));
  return static_cast<const char *>(location) + distance;
}

const char *verb_of(access_kind kind) {
  switch (kind) {
  case access_kind::read: return "reads";
  case access_kind::copy_in_flight: return "copies to";
  case access_kind::atomic_read: return "atomically reads";
  case access_kind::atomic_read_in_block: return "atomically, with block scope, reads";
  case access_kind::atomic_write: return "atomically updates";
  case access_kind::atomic_write_in_block: return "atomically, with block scope, updates";
  case access_kind::none:
  case access_kind::write: break;
  }
  return "writes";
}

void report_race(block_runner &runner, memory_space space, std::uintptr_t origin,
                 const access &mine, std::uintptr_t first, const clash &found,
                 const void *location) {
  std::uintptr_t byte = origin + found.byte;
  std::string where = space == memory_space::shared ? "shared" : "global";
  if (found.kind == clash_kind::unwritten) {
    std::string kind = "read of uninitialised " + where + " memory: ";
    report(kind.c_str(), runner.block().kernel, location, [&] {
      return kind + name_running(runner) + " reads " + name_byte(space, byte) +
             ", which nothing has written";
    });
    return;
  }
  std::string kind = "race in " + where + " memory: ";
  if (!is_new_report(kind.c_str(), runner.block().kernel, location))
    return;
  const access &other = found.other;
  std::string text =
      kind + name_running(runner) + " " + verb_of(mine.kind()) + " " + name_byte(space, byte);
  text += found.kind == clash_kind::in_flight
              ? std::string(", which a ") + (other.is_bulk ? "bulk copy" : "cp.async") + " of " +
                    name_other(runner, found) + " has not written yet: the copy was not waited for"
          : found.kind == clash_kind::unfenced
              ? std::string(" by the asynchronous proxy, ") + done_of(other.kind()) + " by " +
                    name_other(runner, found) + " with no fence between them"
              : std::string(" ") + done_of(other.kind()) + " by " + name_other(runner, found) +
                    missing_order(runner, other);
  auto name_access = [&](std::size_t size, std::uintptr_t at) {
    return host::count_of_bytes(size) + " at " +
           (space == memory_space::shared ? std::to_string(at) : hexadecimal(at));
  };
  std::string both = "\n  this access: " + name_access(mine.size(), first) + "; the other: " +
                     name_access(other.size(), byte / other.size() * other.size()) +
                     describe_code(location_near(location, other.location));
  add_report(location, std::move(text), both);
}

void report_shared_range(block_runner &runner, std::ptrdiff_t offset, std::size_t count,
                         const char *verb, const void *location) {
  report("range", runner.block().kernel, location, [&] {
    return "shared memory out of range: " + name_running(runner) + " " + verb + " " +
           host::count_of_bytes(count) + " at offset " + std::to_string(offset) + " of " +
           host::count_of_bytes(runner.block().shared_bytes);
  });
}

void report_shared_alignment(block_runner &runner, std::size_t offset, std::size_t count,
                             const char *verb, const void *location) {
  report("alignment", runner.block().kernel, location, [&] {
    return "misaligned access to shared memory: " + name_running(runner) + " " + verb + " bytes " +
           std::to_string(offset) + " to " + std::to_string(offset + count - 1);
  });
}

void report_global_alignment(block_runner &runner, std::uintptr_t address, std::size_t count,
                             const char *verb, const void *location) {
  report("alignment", runner.block().kernel, location, [&] {
    return "misaligned access to global memory: " + name_running(runner) + " " + verb + " " +
           host::count_of_bytes(count) + " at " + hexadecimal(address);
  });
}

void report_outside(block_runner &runner, std::uintptr_t address, std::size_t count,
                    const char *verb, const void *location) {
  report("outside", runner.block().kernel, location, [&] {
    const std::string access = name_running(runner) + " " + verb + " " +
                               host::count_of_bytes(count) + " at " + hexadecimal(address);
    const std::string near = host::describe_surroundings(address, count);
    const auto &table = host::allocations();
    if (table.near(address) || table.near(address + count - 1) || !host::is_mapped(address))
      return "global memory out of range: " + access + near;
    return "memory of the host: " + access + near +
           ": a GPU accesses memory of cudaMalloc, cudaMallocManaged, cudaMallocHost and "
           "cudaHostRegister (TESSERA_EMULATE_HOST_MEMORY=1 allows all other memory, too)";
  });
}

} // namespace tessera::emulate
