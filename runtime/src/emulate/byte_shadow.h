// The shadow of memory that a block uses: who wrote and read each byte last, and when. It decides
// what is a race; it knows nothing of fibers.
//
// Time has two clocks. The block's interval advances with each block barrier (and each new block),
// a warp's interval with each barrier of that warp. Two accesses are ordered if one thread made
// both, or their block intervals differ, or they are of one warp and its intervals differ. A clash
// is two accesses of a byte, one of them a write, that are not ordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tessera::emulate {

struct moment {
  std::uint32_t block_interval;
  std::uint32_t warp_interval;
  std::uint16_t thread;
};

enum class clash_kind : unsigned char {
  none,
  with_write,
  with_read,
  with_reads_of_warp,
  with_reads,
  unwritten,
  in_flight
};

struct clash {
  clash_kind kind = clash_kind::none;
  std::size_t byte = 0;
  std::uint16_t other = 0; // a thread; for with_reads_of_warp any of that warp

  explicit operator bool() const { return kind != clash_kind::none; }
};

class shadow {
public:
  // A new block begins with its first interval; what is older belongs to other blocks.
  void begin_block(std::size_t bytes, std::uint32_t first_interval);

  // Note an access to [first, first + count) and give its first clash.
  clash read(std::size_t first, std::size_t count, const moment &now);
  clash write(std::size_t first, std::size_t count, const moment &now);
  // An asynchronous write may happen at any time from begin to end, which only the thread that
  // began it may call.
  clash begin_async_write(std::size_t first, std::size_t count, const moment &now);
  void end_async_write(std::size_t first, std::size_t count, const moment &now);

private:
  struct cell {
    std::uint32_t write_interval, write_warp_interval;
    std::uint32_t read_interval, read_warp_interval;
    std::uint16_t writer, reader;
    enum class readers : unsigned char { one, several_of_warp, several } read_by;
    bool in_flight;
  };

  static bool is_ordered(std::uint32_t interval, std::uint32_t warp_interval, std::uint16_t thread,
                         const moment &now);
  static clash_kind check_read(const cell &c, std::uint32_t first_interval, const moment &now);
  static clash_kind check_write(const cell &c, const moment &now);
  static void note_read(cell &c, const moment &now);
  static void note_write(cell &c, const moment &now);
  template <class Step> clash each(std::size_t first, std::size_t count, Step step);

  struct unmap {
    std::size_t bytes;
    void operator()(cell *cells) const;
  };
  std::unique_ptr<cell[], unmap> cells_;
  std::size_t size_ = 0;
  std::uint32_t first_interval_ = 0;
};

// The shadow of global memory, as far as one block touches it. Everything counts as written, and
// two writes do not clash: a tile program may store to an element twice, leaving open which one
// stays.
class sparse_shadow {
public:
  void begin_block();

  // Addresses of one access lie in one page.
  clash read(std::uintptr_t address, std::size_t count, const moment &now);
  clash write(std::uintptr_t address, std::size_t count, const moment &now);

private:
  static constexpr std::size_t page_size = 4096;
  static constexpr std::size_t kept_pages = 64; // from one block to the next
  static constexpr std::size_t most_pages =
      4096; // of one block; what it touches beyond them is not checked

  shadow *page_of(std::uintptr_t address);

  std::unordered_map<std::uintptr_t, shadow> pages_;
  std::vector<shadow> free_; // what they remember is older than the block
  std::uintptr_t last_number_ = 0;
  shadow *last_ = nullptr;
};

} // namespace tessera::emulate
