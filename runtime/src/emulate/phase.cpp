// mbarriers, and the bulk copies that complete on them.
//
// Copies are performed as late as the rules allow, when a thread waits for the phase or the next
// phase begins. Unordered writes of their source, or accesses of their destination, in the meantime
// are races.
#include "checked.h"
#include "reporting.h"

#include <tessera/tile/cpu/formats.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tessera::emulate {
namespace {

constexpr std::size_t chunk = 16;

// The bytes of a live mbarrier: an overwrite is detected at its next use.
constexpr std::array<unsigned char, 8> bytes_of_barrier = {0x4d, 0x62, 0x61, 0x72,
                                                           0xb5, 0x9d, 0x9e, 0x8d};

// Rows and chunks of a box in shared memory: step(offset in the box, coordinates of the chunk's
// first element).
template <class Step> void each_chunk(const box_coordinates &box, Step step) {
  const int per_chunk = static_cast<int>(chunk) / box.of.element_bytes;
  const int chunks = box.of.box[0] / per_chunk;
  int rows = 1;
  for (int d = 1; d != box.of.rank; ++d)
    rows *= box.of.box[d];
  for (int row = 0; row != rows; ++row) {
    std::array<int, max_dimensions> at = box.at;
    for (int d = 1, rest = row; d != box.of.rank; rest /= box.of.box[d++])
      at[static_cast<std::size_t>(d)] += rest % box.of.box[d];
    for (int c = 0; c != chunks; ++c) {
      const int line = row * chunks / 8; // of 128 bytes
      step(static_cast<std::size_t>(row * chunks + (c ^ (line & (chunks - 1)))) * chunk, at);
      at[0] += per_chunk;
    }
  }
}

// Calls step(element in the array, its byte in the chunk) for the elements inside the array.
template <class Step>
void each_inside(const boxes &box, std::array<int, max_dimensions> at, Step step) {
  for (int i = 0; i != static_cast<int>(chunk) / box.element_bytes; ++i, ++at[0]) {
    auto *element = static_cast<std::byte *>(box.base);
    bool is_inside = true;
    for (std::size_t d = 0; d != static_cast<std::size_t>(box.rank); ++d) {
      is_inside &= at[d] >= 0 && static_cast<unsigned>(at[d]) < box.extent[d];
      element += at[d] * box.stride[d];
    }
    if (is_inside)
      step(element, i * box.element_bytes);
  }
}

// As the hardware does: NaNs become its own NaN.
void round_to_tf32(std::byte *element) {
  float x;
  std::memcpy(&x, element, sizeof x);
  const unsigned bits =
      std::isnan(x) ? 0x7fffe000u : cuda::tiles::__prim::cpu::tf32_format::write(x);
  std::memcpy(element, &bits, sizeof bits);
}

// Does the asynchronous proxy see an access of global memory? Accesses of other blocks are not
// checked.
auto fenced_of_block(block_runner &runner) {
  return [&runner](const epoch &e) {
    return e.block != runner.clock().block || is_fenced(runner, e, memory_space::global);
  };
}

// For the accesses that a bulk store overwrites.
clash look_for_unfenced_access(block_runner &runner, history &bytes, std::size_t first,
                               std::size_t count) {
  clash found = bytes.look_for_unfenced(first, count, fenced_of_block(runner));
  return found ? found : bytes.look_for_unfenced_uses(first, count, fenced_of_block(runner));
}

void read_source(block_runner &runner, const bulk_copy &copy,
                 const std::array<int, max_dimensions> &at, std::byte *to) {
  const auto bytes = static_cast<std::size_t>(copy.from.of.element_bytes);
  std::memset(to, 0, chunk);
  each_inside(copy.from.of, at, [&](const std::byte *from, int byte) {
    access_global(runner, from, bytes, access_kind::read, copy.location,
                  [&](history *pages, std::size_t first, observer by, const access &) {
                    by.thread = static_cast<std::uint16_t>(copy.write.thread);
                    by.own_until = copy.write.time;
                    by.interval = copy.interval;
                    by.more = copy.known.get();
                    std::memcpy(to + byte, from, bytes);
                    if (copy.from.of.rounds_to_tf32)
                      round_to_tf32(to + byte);
                    clash found = pages ? pages->look(by, first, bytes) : clash();
                    if (pages && !found)
                      found = pages->look_for_unfenced(first, bytes, fenced_of_block(runner));
                    return found;
                  });
  });
}

void perform(block_runner &runner, const bulk_copy &copy) {
  std::size_t start = runner.shared_offset(copy.to, 1);
  each_chunk(copy.from, [&](std::size_t offset, const std::array<int, max_dimensions> &at) {
    read_source(runner, copy, at, copy.to + offset);
    runner.shared_bytes.end_copy(copy.write, start + offset, chunk);
  });
}

observer beginning_of(const bulk_store &store) {
  observer before = store.by;
  before.more = store.known.get();
  return before;
}

void read_source(block_runner &runner, bulk_store &store) {
  if (!store.bytes.empty())
    return;
  const std::size_t start = runner.shared_offset(store.from, 1);
  each_chunk(store.to, [&](std::size_t offset, const std::array<int, max_dimensions> &) {
    end_read_async(runner, beginning_of(store), start + offset, store.location);
  });
  store.bytes.assign(store.from, store.from + store.to.bytes());
}

// An access of the array after the start of the store races with it unless it is ordered after its
// end.
void write_array(block_runner &runner, const bulk_store &store) {
  const auto bytes = static_cast<std::size_t>(store.to.of.element_bytes);
  each_chunk(store.to, [&](std::size_t offset, const std::array<int, max_dimensions> &coordinates) {
    each_inside(store.to.of, coordinates, [&](std::byte *to, int at) {
      access_global(runner, to, bytes, access_kind::write, store.location,
                    [&](history *pages, std::size_t first, const observer &, const access &a) {
                      const std::byte *from =
                          store.bytes.data() + offset + static_cast<std::size_t>(at);
                      clash found;
                      if (pages) {
                        // Unordered accesses are races, fenced or not.
                        const clash unfenced =
                            look_for_unfenced_access(runner, *pages, first, bytes);
                        access mine = a;
                        mine.is_bulk = 1;
                        found = pages->write(beginning_of(store), mine, first, bytes, to, from);
                        if (!found)
                          found = unfenced;
                      }
                      std::memcpy(to, from, bytes);
                      return found;
                    });
    });
  });
}

// The bytes of an array that a store writes.
std::vector<const std::byte *> bytes_written(const box_coordinates &box) {
  std::vector<const std::byte *> all;
  each_chunk(box, [&](std::size_t, const std::array<int, max_dimensions> &coordinates) {
    each_inside(box.of, coordinates, [&](const std::byte *to, int) { all.push_back(to); });
  });
  std::ranges::sort(all);
  return all;
}

// Two stores of a thread that are in flight at one time are unordered.
void look_for_unordered(block_runner &runner, const box_coordinates &box, const void *location) {
  const std::vector<bulk_store> &others = runner.running().stores;
  if (others.empty())
    return;
  const std::vector<const std::byte *> mine = bytes_written(box);
  for (const bulk_store &other : others) {
    const std::vector<const std::byte *> theirs = bytes_written(other.to);
    auto at = std::ranges::find_if(
        mine, [&](const std::byte *to) { return std::ranges::binary_search(theirs, to); });
    if (at != mine.end())
      return report("unordered stores", runner.block().kernel, location, [&] {
        return name_block(runner.block()) + ": " + name_thread(runner.running().number) +
               " starts a bulk store to memory that its earlier bulk store has not written yet: "
               "that store was not waited for";
      });
  }
}

// Entirely in front, along some dimension: observed on an H100. After the array's end nothing
// happens.
bool is_before_array(const box_coordinates &box) {
  bool result = false;
  for (std::size_t d = 0; d != static_cast<std::size_t>(box.of.rank); ++d)
    result |= box.at[d] + box.of.box[d] <= 0;
  return result;
}

// Chunks in shared memory are swizzled by address bits: these must be 0 at the start of a box.
std::size_t alignment_of(const box_coordinates &box) {
  return 8 * static_cast<std::size_t>(box.of.box[0]) *
         static_cast<std::size_t>(box.of.element_bytes);
}

// The innermost coordinate is one of whole chunks: on an H200 a bulk copy of bf16 from coordinate 3
// on is an illegal instruction.
bool starts_with_chunk(const box_coordinates &box) {
  return box.at[0] * box.of.element_bytes % 16 == 0;
}

void report_start(block_runner &runner, const box_coordinates &box, const char *what,
                  const void *location) {
  report("alignment", runner.block().kernel, location, [&] {
    return "misaligned start of a bulk " + std::string(what) + ": " + name_block(runner.block()) +
           ": " + name_thread(runner.running().number) + " starts at element " +
           std::to_string(box.at[0]) + " of rows of " +
           host::count_of_bytes(static_cast<std::size_t>(box.of.element_bytes)) +
           " per element; Hopper takes multiples of 16 bytes and reports an illegal instruction "
           "for others";
  });
}

} // namespace

phase_barrier &block_runner::phases_at(const void *barrier, const char *verb,
                                       const void *location) {
  std::size_t offset = shared_offset(barrier, 8);
  auto found = phases.find(offset);
  if (found != phases.end()) {
    if (std::memcmp(barrier, bytes_of_barrier.data(), bytes_of_barrier.size()) != 0)
      report("overwritten barrier", block_.kernel, location, [&] {
        return name_block(block_) + ": " + name_thread(running().number) + " " + verb +
               " a barrier at byte " + std::to_string(offset) +
               " that was overwritten after it was initialised";
      });
    return found->second;
  }
  report("no barrier", block_.kernel, location, [&] {
    return name_block(block_) + ": " + name_thread(running().number) + " " + verb +
           " a barrier at byte " + std::to_string(offset) + " that was not initialised";
  });
  return phases[offset] = {1, 1, 0, 0, 0, {}, {}, {}};
}

void block_runner::end_phase(phase_barrier &barrier) {
  for (const bulk_copy &copy : barrier.copies)
    perform(*this, copy);
  barrier.copies.clear();
  barrier.ended = std::exchange(barrier.arrived, nullptr);
  barrier.missing = barrier.expected;
  barrier.announced = barrier.started = 0;
  barrier.parity ^= 1;
  auto is_here = [&](const auto &waiting) { return waiting.first == &barrier; };
  for (const auto &waiting : waiting_for_phases_)
    if (is_here(waiting))
      wake(warps_[waiting.second->warp()], 1u << waiting.second->lane());
  std::erase_if(waiting_for_phases_, is_here);
}

bool block_runner::is_awaited(const phase_barrier &barrier) const {
  return std::ranges::any_of(waiting_for_phases_,
                             [&](const auto &waiting) { return waiting.first == &barrier; });
}

void block_runner::wait_for_phase(phase_barrier &barrier, int parity) {
  thread &t = running();
  if (barrier.parity == parity && barrier.is_complete())
    end_phase(barrier);
  while (barrier.parity == parity) {
    waiting_for_phases_.emplace_back(&barrier, &t);
    suspend(t, thread::state::waiting, "a phase of a barrier in shared memory");
  }
  t.clock.acquire(clock_, barrier.ended);
}

void block_runner::look_for_unfinished(const phase_barrier &barrier) {
  if (!barrier.copies.empty())
    report("unfinished copies", block_.kernel, barrier.copies.front().location, [&] {
      return name_block(block_) + " ends, but its bulk copies to shared memory were not waited for";
    });
}

namespace {

// Waiting threads cannot end the phase: this thread does, as soon as possible.
void end_if_awaited(block_runner &runner, phase_barrier &barrier) {
  if (barrier.is_complete() && runner.is_awaited(barrier))
    runner.end_phase(barrier);
}

} // namespace

void begin_phases(void *barrier, int count) {
  block_runner &runner = running_block();
  const void *location = __builtin_return_address(0);
  std::size_t offset = checked_offset(runner, barrier, 8, "initialises", location);
  if (offset == block_runner::no_offset)
    return;
  observer by = runner.now();
  access a = make_access(by, bytes_of_barrier.size(), access_kind::write, location);
  report_shared_race(runner, a, offset, runner.shared_bytes.write(by, a, offset, a.size()),
                     location);
  std::memcpy(barrier, bytes_of_barrier.data(), bytes_of_barrier.size());
  runner.phases[offset] = {count, count, 0, 0, 0, {}, {}, {}};
}

void arrive(void *barrier, int bytes) {
  block_runner &runner = running_block();
  phase_barrier &at = runner.phases_at(barrier, "arrives at", __builtin_return_address(0));
  if (at.is_complete())
    runner.end_phase(at);
  thread &t = runner.running();
  at.arrived = knowledge::join(at.arrived, t.clock.release(runner.clock(), t.number));
  at.announced += bytes;
  --at.missing;
  end_if_awaited(runner, at);
}

void wait_phase(void *barrier, int parity) {
  block_runner &runner = running_block();
  runner.wait_for_phase(runner.phases_at(barrier, "waits at", __builtin_return_address(0)), parity);
}

void end_phases(void *barrier) {
  block_runner &runner = running_block();
  runner.look_for_unfinished(runner.phases_at(barrier, "ends", __builtin_return_address(0)));
  runner.phases.erase(runner.shared_offset(barrier, 8));
}

namespace {

// Begins the copy of a box to a place in shared memory that is a multiple of `alignment`.
void start_copy(void *shared, const box_coordinates &box, std::size_t alignment, void *barrier,
                const void *location) {
  block_runner &runner = running_block();
  phase_barrier &at = runner.phases_at(barrier, "copies to", location);
  const std::size_t bytes = box.bytes();
  std::size_t offset = runner.shared_offset(shared, bytes);
  if (offset == block_runner::no_offset)
    return report_shared_range(runner,
                               static_cast<const std::byte *>(shared) - runner.block().shared,
                               bytes, "copies to", location);
  if (offset % alignment != 0)
    return report_shared_alignment(runner, offset, bytes, "copies to", location);
  if (!starts_with_chunk(box))
    return report_start(runner, box, "copy", location);
  observer by = runner.now();
  access write = make_access(by, chunk, access_kind::copy_in_flight, location);
  write.is_bulk = 1;
  each_chunk(box, [&](std::size_t first, const auto &) {
    const clash unfenced =
        runner.shared_bytes.look_for_unfenced(offset + first, chunk, [&](const epoch &e) {
          return is_fenced(runner, e, memory_space::shared);
        });
    const clash found = runner.shared_bytes.write(by, write, offset + first, chunk);
    report_shared_race(runner, write, offset + first, found ? found : unfenced, location);
  });
  thread &t = runner.running();
  write.of_kind = static_cast<unsigned>(access_kind::write);
  knowledge_ref known = t.clock.release(runner.clock(), t.number);
  const fact done[] = {{by.block, fact::thread(by.thread), by.now}};
  at.arrived = knowledge::join(at.arrived, nullptr, done);
  at.started += static_cast<long long>(bytes);
  at.copies.push_back(
      {static_cast<std::byte *>(shared), box, location, write, by.interval, std::move(known)});
  end_if_awaited(runner, at);
}

} // namespace

void copy_bulk(void *shared, const tensor_map &map, const int *coordinates, void *barrier) {
  const box_coordinates box(map, coordinates);
  start_copy(shared, box, alignment_of(box), barrier, __builtin_return_address(0));
}

void copy_bulk(void *shared, const void *from, int bytes, void *barrier) {
  const void *location = __builtin_return_address(0);
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  if (bytes % static_cast<int>(chunk) != 0 || address % chunk != 0) {
    block_runner &runner = running_block();
    return report("alignment", runner.block().kernel, location, [&] {
      return "misaligned bulk copy: " + name_block(runner.block()) + ": " +
             name_thread(runner.running().number) + " copies " +
             host::count_of_bytes(static_cast<std::size_t>(bytes)) + " from an address that is " +
             std::to_string(address % chunk) +
             " beyond a multiple of 16; both are multiples of 16 bytes";
    });
  }
  // A row of chunks.
  const int chunks = bytes / static_cast<int>(chunk);
  tensor_map map;
  const auto extent = static_cast<unsigned>(chunks);
  const unsigned long long stride = chunk;
  make_map(map, 1, static_cast<int>(chunk), from, &extent, &stride, &chunks,
           /*rounds_to_tf32=*/false);
  const int start = 0;
  start_copy(shared, box_coordinates(map, &start), chunk, barrier, location);
}

void store_bulk(const void *shared, const tensor_map &map, const int *coordinates) {
  const void *location = __builtin_return_address(0);
  block_runner &runner = running_block();
  const box_coordinates box(map, coordinates);
  std::size_t offset = runner.shared_offset(shared, box.bytes());
  if (offset == block_runner::no_offset)
    return report_shared_range(runner,
                               static_cast<const std::byte *>(shared) - runner.block().shared,
                               box.bytes(), "stores from", location);
  if (offset % alignment_of(box) != 0)
    return report_shared_alignment(runner, offset, box.bytes(), "stores from", location);
  if (!starts_with_chunk(box))
    return report_start(runner, box, "store", location);
  if (is_before_array(box))
    return report("outside", runner.block().kernel, location, [&] {
      return name_block(runner.block()) + ": " + name_thread(runner.running().number) +
             " starts a bulk store to an address before the array: Hopper reports an illegal "
             "instruction for it";
    });
  each_chunk(box, [&](std::size_t first, const auto &) {
    begin_read_async(runner, offset + first, location);
  });
  look_for_unordered(runner, box, location);
  thread &t = runner.running();
  observer by = runner.now();
  t.stores.push_back({static_cast<const std::byte *>(shared), box, t.store_groups, location, by,
                      t.clock.release(runner.clock(), t.number)});
}

void commit_bulk_stores() { ++running_block().running().store_groups; }

namespace {

// The first store of the `pending` youngest groups.
auto begin_of_groups(thread &t, unsigned pending) {
  const std::uint32_t end = t.store_groups - std::min(t.store_groups, pending);
  return std::ranges::find_if(t.stores, [&](const bulk_store &s) { return s.group >= end; });
}

} // namespace

void wait_bulk_stores(unsigned pending) {
  block_runner &runner = running_block();
  thread &t = runner.running();
  std::for_each(t.stores.begin(), begin_of_groups(t, pending),
                [&](bulk_store &s) { read_source(runner, s); });
}

void wait_bulk_stores_written(unsigned pending) {
  wait_bulk_stores(pending);
  running_block().end_stores(pending);
}

void block_runner::end_stores(unsigned pending) {
  thread &t = running();
  auto rest = begin_of_groups(t, pending);
  std::for_each(t.stores.begin(), rest, [&](const bulk_store &s) {
    if (!s.bytes.empty())
      write_array(*this, s);
  });
  t.stores.erase(t.stores.begin(), rest);
}

void named_barrier(int number, int threads) {
  running_block().crowd_meeting("a named barrier", number, static_cast<unsigned>(threads), nullptr,
                                nullptr, true);
}

} // namespace tessera::emulate
