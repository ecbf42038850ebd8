// The rules of byte_shadow.h, byte by byte.
//
// One last writer and one last reader (or "several") are enough: who replaces them either is
// ordered after them or has been reported, so an access that is ordered after the replacement is
// ordered after them as well.
#include "byte_shadow.h"

#include <tessera/emulate/engine.h>

#include <sys/mman.h>

#include <new>

namespace tessera::emulate {
namespace {

bool is_same_warp(std::uint16_t a, std::uint16_t b) { return a / warp_size == b / warp_size; }

} // namespace

void shadow::unmap::operator()(cell *cells) const { munmap(cells, bytes); }

void shadow::begin_block(std::size_t bytes, std::uint32_t first_interval) {
  first_interval_ = first_interval;
  if (bytes <= size_)
    return;
  // Fresh pages are zero and are backed when touched; interval 0 is older than any block.
  std::size_t mapped = bytes * sizeof(cell);
  void *fresh = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    throw std::bad_alloc();
  cells_ = {static_cast<cell *>(fresh), unmap{mapped}};
  size_ = bytes;
}

bool shadow::is_ordered(std::uint32_t interval, std::uint32_t warp_interval, std::uint16_t thread,
                        const moment &now) {
  return interval != now.block_interval || thread == now.thread ||
         (is_same_warp(thread, now.thread) && warp_interval != now.warp_interval);
}

clash_kind shadow::check_read(const cell &c, std::uint32_t first_interval, const moment &now) {
  if (c.in_flight)
    return clash_kind::in_flight;
  if (c.write_interval < first_interval)
    return clash_kind::unwritten;
  return is_ordered(c.write_interval, c.write_warp_interval, c.writer, now)
             ? clash_kind::none
             : clash_kind::with_write;
}

clash_kind shadow::check_write(const cell &c, const moment &now) {
  if (c.in_flight)
    return clash_kind::in_flight;
  if (!is_ordered(c.write_interval, c.write_warp_interval, c.writer, now))
    return clash_kind::with_write;
  if (c.read_interval != now.block_interval)
    return clash_kind::none;
  switch (c.read_by) {
  case cell::readers::one:
    return is_ordered(c.read_interval, c.read_warp_interval, c.reader, now) ? clash_kind::none
                                                                            : clash_kind::with_read;
  case cell::readers::several_of_warp:
    return is_same_warp(c.reader, now.thread) && c.read_warp_interval != now.warp_interval
               ? clash_kind::none
               : clash_kind::with_reads_of_warp;
  case cell::readers::several: return clash_kind::with_reads;
  }
  return clash_kind::none;
}

void shadow::note_read(cell &c, const moment &now) {
  bool is_first = c.read_interval != now.block_interval;
  // Earlier reads of the same warp are ordered before this one, and other warps clash with this one
  // just as well.
  bool replaces = c.read_by != cell::readers::several && is_same_warp(c.reader, now.thread) &&
                  c.read_warp_interval != now.warp_interval;
  if (is_first || replaces)
    c.read_by = cell::readers::one;
  else if (!is_same_warp(c.reader, now.thread))
    c.read_by = cell::readers::several;
  else if (c.read_by == cell::readers::one && c.reader != now.thread)
    c.read_by = cell::readers::several_of_warp;
  c.read_interval = now.block_interval;
  c.read_warp_interval = now.warp_interval;
  c.reader = now.thread;
}

void shadow::note_write(cell &c, const moment &now) {
  c.write_interval = now.block_interval;
  c.write_warp_interval = now.warp_interval;
  c.writer = now.thread;
}

template <class Step> clash shadow::each(std::size_t first, std::size_t count, Step step) {
  clash found;
  for (std::size_t byte = first; byte != first + count; ++byte) {
    cell &c = cells_[byte];
    std::uint16_t writer = c.writer, reader = c.reader;
    clash_kind kind = step(c);
    if (kind != clash_kind::none && !found)
      found = {kind, byte,
               kind == clash_kind::with_write || kind == clash_kind::in_flight ? writer : reader};
  }
  return found;
}

clash shadow::read(std::size_t first, std::size_t count, const moment &now) {
  return each(first, count, [&](cell &c) {
    clash_kind kind = check_read(c, first_interval_, now);
    note_read(c, now);
    return kind;
  });
}

clash shadow::write(std::size_t first, std::size_t count, const moment &now) {
  return each(first, count, [&](cell &c) {
    clash_kind kind = check_write(c, now);
    note_write(c, now);
    return kind;
  });
}

clash shadow::begin_async_write(std::size_t first, std::size_t count, const moment &now) {
  return each(first, count, [&](cell &c) {
    clash_kind kind = check_write(c, now);
    note_write(c, now);
    c.in_flight = true;
    return kind;
  });
}

void shadow::end_async_write(std::size_t first, std::size_t count, const moment &now) {
  each(first, count, [&](cell &c) {
    c.in_flight = false;
    note_write(c, now);
    return clash_kind::none;
  });
}

void sparse_shadow::begin_block() {
  if (pages_.size() <= kept_pages)
    return;
  for (auto &[number, page] : pages_)
    free_.push_back(std::move(page));
  pages_.clear();
  last_ = nullptr;
}

shadow *sparse_shadow::page_of(std::uintptr_t address) {
  std::uintptr_t number = address / page_size;
  if (last_ && number == last_number_)
    return last_;
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (pages_.size() == most_pages)
      return nullptr;
    shadow page;
    if (!free_.empty()) {
      page = std::move(free_.back());
      free_.pop_back();
    }
    page.begin_block(page_size, 0);
    found = pages_.emplace(number, std::move(page)).first;
  }
  last_number_ = number;
  return last_ = &found->second;
}

clash sparse_shadow::read(std::uintptr_t address, std::size_t count, const moment &now) {
  shadow *page = page_of(address);
  return page ? page->read(address % page_size, count, now) : clash();
}

clash sparse_shadow::write(std::uintptr_t address, std::size_t count, const moment &now) {
  shadow *page = page_of(address);
  clash found = page ? page->write(address % page_size, count, now) : clash();
  return found.kind == clash_kind::with_write ? clash() : found;
}

} // namespace tessera::emulate
