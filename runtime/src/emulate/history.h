// The history of memory: for each byte the last write and the uses since, as far as a later access
// may race with them. It defines what a race is; it does not depend on fibers.
//
// Two accesses of a byte clash if one of them writes, neither is ordered after the other, and they
// are not both atomic with scopes that contain both threads. Histories are kept for 16 bytes at a
// time, the widest access, and for 4 or 1 where accesses were narrower.
//
// One write is enough: the write that replaces it is ordered after it or has been reported. A use
// (a read or an atomic operation) stays until a later one of the same kind is ordered after it.
#pragma once

#include "clock.h"

#include <tessera/emulate/engine.h>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace tessera::emulate {

enum class access_kind : unsigned char {
  none,
  write,
  copy_in_flight, // an asynchronous write in flight
  read,
  atomic_read,
  atomic_read_in_block, // of block scope
  atomic_write,
  atomic_write_in_block
};

// An access of 1 to 16 bytes, a power of two, aligned to its size; is_bulk: by the asynchronous
// proxy.
struct access {
  stamp time;
  std::uint32_t block;
  std::uint32_t location; // the low half of a code address
  std::uint32_t thread : 10, size_log : 3, of_kind : 3, operation : 14, is_agreed : 1, is_bulk : 1;

  access_kind kind() const { return static_cast<access_kind>(of_kind); }
  std::size_t size() const { return std::size_t(1) << size_log; }
  epoch when() const { return {time, block, static_cast<std::uint16_t>(thread)}; }
};

// Accesses of one kind by lanes of a warp at one time.
struct use {
  access first;
  std::uint32_t lanes;
};

enum class clash_kind : unsigned char { none, unordered, in_flight, unwritten, unfenced };

struct clash {
  clash_kind kind = clash_kind::none;
  std::size_t byte = 0; // the first that clashes
  access other{};
  bool of_several_threads = false; // of the other's warp

  explicit operator bool() const { return kind != clash_kind::none; }
};

// The rules that differ between memories.
struct history_rules {
  bool needs_writes;    // reading uninitialized memory is an error
  bool is_global;       // threads of other blocks access it, too; writes of one value, or of one
                        // operation, do not clash
  bool strict;          // ... but blocks that write one value clash
  std::size_t max_uses; // of a cell; more are dropped
};

class history {
public:
  history(std::size_t bytes, history_rules rules);

  // Clears everything.
  void reset(std::size_t bytes);

  // Record an access to [first, first + count), within 16 aligned bytes, and return its first
  // clash.
  clash read(const observer &by, const access &a, std::size_t first, std::size_t count);
  // `old_bytes` and `new_bytes` are those of the access; null: they differ.
  clash write(const observer &by, const access &a, std::size_t first, std::size_t count,
              const std::byte *old_bytes = nullptr, const std::byte *new_bytes = nullptr);
  clash touch_atomically(const observer &by, const access &a, std::size_t first, std::size_t count);
  // An asynchronous write may happen at any time from begin to end.
  clash begin_copy(const observer &by, const access &a, std::size_t first, std::size_t count);
  void end_copy(const access &a, std::size_t first, std::size_t count);
  // The last write of a range that the asynchronous proxy reads: a thread's write clashes unless
  // is_fenced(its access).
  template <class IsFenced>
  clash look_for_unfenced(std::size_t first, std::size_t count, IsFenced is_fenced);
  // The same for the uses of a range that it writes: a thread's use clashes unless is_fenced(its
  // access).
  template <class IsFenced>
  clash look_for_unfenced_uses(std::size_t first, std::size_t count, IsFenced is_fenced);
  // The last write of a byte; null: none is recorded.
  const access *last_write(std::size_t byte) const;
  // Like read(), but records nothing.
  clash look(const observer &by, std::size_t first, std::size_t count);

private:
  static constexpr std::size_t granule = 16, parts_per_cell = 4;

  struct cell {
    access write;
    use last_use;
    std::uint32_t more_uses; // 0: none
    std::uint32_t parts;     // 0: the cell is whole
  };
  using cell_parts = std::array<cell, parts_per_cell>;

  // The first unfenced access that look(cell) returns.
  template <class Look> clash first_of_cells(std::size_t first, std::size_t count, Look look) const;
  template <class Step>
  void each(std::size_t first, std::size_t count, bool replaces, stamp settled, Step step);
  template <class Step> void descend(cell &c, std::size_t size, std::size_t base, std::size_t first,
                                     std::size_t count, bool replaces, stamp settled, Step &step);
  void split(cell &c);
  void drop_parts(cell &c);
  void drop_uses(cell &c);
  bool is_settled(const cell &c, stamp before) const;
  void note_use(cell &c, const observer &by, const access &a);
  void note_write(cell &c, const access &a);

  clash check_write_of(const cell &c, const observer &by) const;
  bool is_agreed_write(const cell &c, const clash &found, const access &a,
                       const std::byte *old_bytes, const std::byte *new_bytes, std::size_t at,
                       std::size_t size) const;
  template <class Conflicts>
  clash check_uses(const cell &c, const observer &by, Conflicts conflicts) const;

  template <class T> struct pool {
    std::deque<T> items; // addresses are stable
    std::vector<std::uint32_t> free;

    std::uint32_t take();
    void give(std::uint32_t index) { free.push_back(index); }
    T &at(std::uint32_t index) { return items[index - 1]; }
    const T &at(std::uint32_t index) const { return items[index - 1]; }
  };

  history_rules rules_;
  std::unique_ptr<cell[]> cells_;
  std::size_t capacity_ = 0; // cells
  pool<cell_parts> parts_;
  pool<std::vector<use>> uses_;
};

template <class Look>
clash history::first_of_cells(std::size_t first, std::size_t count, Look look) const {
  for (std::size_t at = first; at < first + count;) {
    const cell *c = &cells_[at / granule];
    std::size_t size = granule, base = at / granule * granule;
    while (c->parts) {
      size /= parts_per_cell;
      std::size_t part = (at - base) / size;
      c = &parts_.at(c->parts)[part];
      base += part * size;
    }
    if (const access *found = look(*c))
      return {clash_kind::unfenced, at, *found};
    at = base + size;
  }
  return {};
}

template <class IsFenced>
clash history::look_for_unfenced(std::size_t first, std::size_t count, IsFenced is_fenced) {
  return first_of_cells(first, count, [&](const cell &c) {
    const bool is_seen =
        c.write.kind() != access_kind::write || c.write.is_bulk || is_fenced(c.write.when());
    return is_seen ? nullptr : &c.write;
  });
}

template <class IsFenced>
clash history::look_for_unfenced_uses(std::size_t first, std::size_t count, IsFenced is_fenced) {
  auto is_seen = [&](const use &u) {
    epoch e = u.first.when();
    const unsigned warp = e.thread / warp_size * warp_size;
    for (unsigned lane = 0; lane != warp_size; ++lane)
      if (u.lanes >> lane & 1) {
        e.thread = static_cast<std::uint16_t>(warp + lane);
        if (!is_fenced(e))
          return false;
      }
    return true;
  };
  return first_of_cells(first, count, [&](const cell &c) -> const access * {
    if (c.last_use.first.kind() != access_kind::none && !is_seen(c.last_use))
      return &c.last_use.first;
    if (c.more_uses)
      for (const use &u : uses_.at(c.more_uses))
        if (!is_seen(u))
          return &u.first;
    return nullptr;
  });
}

} // namespace tessera::emulate
