// The rules of history.h, cell by cell.
#include "history.h"

#include <tessera/emulate/engine.h>

#include <algorithm>
#include <cstring>

namespace tessera::emulate {
namespace {

bool is_atomic_write(access_kind k) {
  return k == access_kind::atomic_write || k == access_kind::atomic_write_in_block;
}
bool is_of_block_scope(access_kind k) {
  return k == access_kind::atomic_read_in_block || k == access_kind::atomic_write_in_block;
}

// Does every access that clashes with `old` clash with `later`, if that is ordered after it?
bool stands_for(access_kind later, access_kind old) {
  return later == old || (later == access_kind::atomic_write && old == access_kind::atomic_read) ||
         (later == access_kind::atomic_write_in_block && old == access_kind::atomic_read_in_block);
}

bool is_same_use(const use &u, const access &a) {
  return u.first.time == a.time && u.first.block == a.block && u.first.of_kind == a.of_kind &&
         u.first.thread / warp_size == a.thread / warp_size;
}

bool knows_all(const observer &by, const use &u) {
  epoch e = u.first.when();
  const bool is_read = u.first.kind() == access_kind::read;
  if (u.lanes == 1u << (e.thread % warp_size))
    return by.knows(e, is_read);
  unsigned warp = e.thread / warp_size * warp_size;
  for (unsigned lane = 0; lane != warp_size; ++lane)
    if (u.lanes >> lane & 1) {
      e.thread = static_cast<std::uint16_t>(warp + lane);
      if (!by.knows(e, is_read))
        return false;
    }
  return true;
}

} // namespace

template <class T> std::uint32_t history::pool<T>::take() {
  if (!free.empty()) {
    std::uint32_t index = free.back();
    free.pop_back();
    return index;
  }
  items.emplace_back();
  return static_cast<std::uint32_t>(items.size());
}

history::history(std::size_t bytes, history_rules rules) : rules_(rules) { reset(bytes); }

void history::reset(std::size_t bytes) {
  std::size_t count = (bytes + granule - 1) / granule;
  if (count > capacity_) {
    cells_.reset(new cell[count]);
    capacity_ = count;
  }
  if (count)
    std::memset(static_cast<void *>(cells_.get()), 0, count * sizeof(cell));
  parts_.items.clear();
  parts_.free.clear();
  uses_.items.clear();
  uses_.free.clear();
}

const access *history::last_write(std::size_t byte) const {
  const access *last = nullptr;
  (void)first_of_cells(byte, 1, [&](const cell &c) -> const access * {
    if (c.write.kind() != access_kind::none)
      last = &c.write;
    return nullptr;
  });
  return last;
}

void history::split(cell &c) {
  std::uint32_t index = parts_.take();
  for (cell &part : parts_.at(index)) {
    part = c;
    if (c.more_uses) {
      part.more_uses = uses_.take();
      uses_.at(part.more_uses) = uses_.at(c.more_uses);
    }
  }
  drop_uses(c);
  c.parts = index;
}

void history::drop_parts(cell &c) {
  for (cell &part : parts_.at(c.parts)) {
    if (part.parts)
      drop_parts(part);
    drop_uses(part);
  }
  parts_.give(c.parts);
  c.parts = 0;
}

void history::drop_uses(cell &c) {
  c.last_use = {};
  if (c.more_uses) {
    uses_.at(c.more_uses).clear();
    uses_.give(c.more_uses);
    c.more_uses = 0;
  }
}

// Do all threads that may still access the cell know all its history?
bool history::is_settled(const cell &c, stamp before) const {
  if (c.parts)
    return std::ranges::all_of(parts_.at(c.parts),
                               [&](const cell &part) { return is_settled(part, before); });
  return c.write.kind() == access_kind::write && c.write.time < before &&
         c.last_use.first.time < before &&
         (!c.more_uses ||
          std::ranges::all_of(
              uses_.at(c.more_uses), [&](const use &u) { return u.first.time < before; }));
}

// Calls step(cell, first byte, bytes, whether to check) for the cells of the range. A cell that the
// whole range replaces, or whose parts are all settled, is merged into one again.
template <class Step> void history::descend(cell &c, std::size_t size, std::size_t base,
                                            std::size_t first, std::size_t count, bool replaces,
                                            stamp settled, Step &step) {
  bool is_whole = first <= base && base + size <= first + count;
  if (c.parts && is_whole && settled && is_settled(c, settled)) {
    const cell *any = &c;
    while (any->parts)
      any = &parts_.at(any->parts)[0];
    access write = any->write;
    drop_parts(c);
    c.write = write;
  }
  if (!c.parts) {
    if (is_whole)
      return step(c, base, size, true);
    split(c);
  }
  std::size_t part_size = size / parts_per_cell;
  for (std::size_t i = 0; i != parts_per_cell; ++i)
    if (std::size_t at = base + i * part_size; at < first + count && first < at + part_size)
      descend(parts_.at(c.parts)[i], part_size, at, first, count, replaces, settled, step);
  if (replaces && is_whole) {
    drop_parts(c);
    step(c, base, size, false);
  }
}

template <class Step>
void history::each(std::size_t first, std::size_t count, bool replaces, stamp settled, Step step) {
  std::size_t end = first + count;
  for (std::size_t at = first / granule * granule; at < end; at += granule)
    descend(cells_[at / granule], granule, at, first, count, replaces, settled, step);
}

clash history::check_write_of(const cell &c, const observer &by) const {
  if (c.write.kind() == access_kind::copy_in_flight)
    return {clash_kind::in_flight, 0, c.write};
  if (c.write.kind() == access_kind::none || by.knows(c.write.when()))
    return {};
  return {clash_kind::unordered, 0, c.write};
}

template <class Conflicts>
clash history::check_uses(const cell &c, const observer &by, Conflicts conflicts) const {
  auto check = [&](const use &u) -> clash {
    if (u.first.kind() == access_kind::none || !conflicts(u.first) || knows_all(by, u))
      return {};
    return {clash_kind::unordered, 0, u.first, (u.lanes & (u.lanes - 1)) != 0};
  };
  if (clash found = check(c.last_use))
    return found;
  if (c.more_uses)
    for (const use &u : uses_.at(c.more_uses))
      if (clash found = check(u))
        return found;
  return {};
}

void history::note_use(cell &c, const observer &by, const access &a) {
  std::uint32_t lane = 1u << (a.thread % warp_size);
  use &last = c.last_use;
  auto is_replaced = [&](const use &u) {
    return u.first.kind() == access_kind::none ||
           (stands_for(a.kind(), u.first.kind()) && knows_all(by, u));
  };
  if (is_same_use(last, a)) {
    last.lanes |= lane;
    return;
  }
  if (!c.more_uses && is_replaced(last)) {
    last = {a, lane};
    return;
  }
  if (!c.more_uses)
    c.more_uses = uses_.take();
  std::vector<use> &more = uses_.at(c.more_uses);
  for (use &u : more)
    if (is_same_use(u, a)) {
      u.lanes |= lane;
      return;
    }
  std::erase_if(more, is_replaced);
  if (!is_replaced(last)) {
    if (more.size() + 1 >= rules_.max_uses)
      more.erase(more.begin());
    more.push_back(last);
  }
  last = {a, lane};
}

void history::note_write(cell &c, const access &a) {
  c.write = a;
  drop_uses(c);
}

clash history::read(const observer &by, const access &a, std::size_t first, std::size_t count) {
  clash result;
  each(first, count, false, rules_.is_global ? 0 : by.interval,
       [&](cell &c, std::size_t at, std::size_t, bool) {
         if (rules_.needs_writes && c.write.kind() == access_kind::none && !result)
           result = {clash_kind::unwritten, at};
         clash found = c.write.is_agreed ? clash() : check_write_of(c, by);
         if (!found && (c.more_uses || c.last_use.first.kind() > access_kind::read))
           found = check_uses(c, by, [](const access &u) { return is_atomic_write(u.kind()); });
         if (found && !result) {
           result = found;
           result.byte = at;
         }
         note_use(c, by, a);
       });
  return result;
}

clash history::look(const observer &by, std::size_t first, std::size_t count) {
  clash result;
  each(first, count, false, 0, [&](cell &c, std::size_t at, std::size_t, bool) {
    clash found = c.write.is_agreed ? clash() : check_write_of(c, by);
    if (found && !result) {
      result = found;
      result.byte = at;
    }
  });
  return result;
}

// Do unordered blocks write the same value here?
bool history::is_agreed_write(const cell &c, const clash &found, const access &a,
                              const std::byte *old_bytes, const std::byte *new_bytes,
                              std::size_t at, std::size_t size) const {
  if (!rules_.is_global || rules_.strict || !old_bytes)
    return false;
  bool is_shared =
      c.write.is_agreed || (found.kind == clash_kind::unordered && found.other.block != a.block);
  return is_shared && std::memcmp(old_bytes + at, new_bytes + at, size) == 0;
}

clash history::write(const observer &by, const access &a, std::size_t first, std::size_t count,
                     const std::byte *old_bytes, const std::byte *new_bytes) {
  clash result;
  bool are_agreed = false; // any of the merged cells
  each(first, count, true, 0, [&](cell &c, std::size_t at, std::size_t size, bool is_checked) {
    access noted = a;
    if (is_checked) {
      clash found = check_write_of(c, by);
      noted.is_agreed = is_agreed_write(c, found, a, old_bytes, new_bytes, at - first, size);
      are_agreed |= noted.is_agreed;
      if (found.kind == clash_kind::unordered && rules_.is_global &&
          (noted.is_agreed ||
           (found.other.block == a.block && found.other.operation == a.operation)))
        found = {};
      if (!found)
        found = check_uses(c, by, [&](const access &u) {
          return !noted.is_agreed || u.kind() != access_kind::read;
        });
      if (found && !result) {
        result = found;
        result.byte = at;
      }
    }
    noted.is_agreed |= are_agreed && !is_checked;
    note_write(c, noted);
  });
  return result;
}

clash history::touch_atomically(const observer &by, const access &a, std::size_t first,
                                std::size_t count) {
  clash result;
  bool writes = is_atomic_write(a.kind());
  auto conflicts = [&](const access &u) {
    if (u.kind() == access_kind::read)
      return writes;
    bool is_in_scope =
        u.block == a.block || (!is_of_block_scope(u.kind()) && !is_of_block_scope(a.kind()));
    return !is_in_scope && (writes || is_atomic_write(u.kind()));
  };
  each(first, count, false, 0, [&](cell &c, std::size_t at, std::size_t, bool) {
    clash found = check_write_of(c, by);
    if (!found)
      found = check_uses(c, by, conflicts);
    if (found && !result) {
      result = found;
      result.byte = at;
    }
    note_use(c, by, a);
  });
  return result;
}

clash history::begin_copy(const observer &by, const access &a, std::size_t first,
                          std::size_t count) {
  return write(by, a, first, count);
}

void history::end_copy(const access &a, std::size_t first, std::size_t count) {
  each(first, count, true, 0, [&](cell &c, std::size_t, std::size_t, bool) { note_write(c, a); });
}

} // namespace tessera::emulate
