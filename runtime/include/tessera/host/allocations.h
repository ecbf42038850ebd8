// The device memory of a program without a GPU: cudaMalloc records it, the emulator checks whether
// an access is inside, and error messages about an address name the nearest allocation.
//
// Under the emulator every allocation has guards on both sides, which distinguish an access
// slightly outside of it from an access to other memory of the process.
#pragma once

#include "fork.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

namespace tessera::host {

struct allocation {
  std::uintptr_t address;
  std::size_t bytes;
  std::size_t guard; // bytes before and after
  void *storage;

  std::uintptr_t end() const { return address + bytes; }
  bool has(std::uintptr_t byte) const { return byte - address < bytes; }
};

class allocation_table {
public:
  // The emulator's programs call it before main.
  void guard_from_now_on() { is_guarded_ = true; }
  // Does memory that was not allocated here belong to the host, so that no kernel may access it?
  void know_all(bool whether = true) {
    knows_all_ = whether;
    ++version_;
  }
  bool knows_all() const { return knows_all_; }
  std::size_t guard_of(std::size_t bytes) const {
    constexpr std::size_t least = 4096, most = 1 << 20;
    return is_guarded_ ? std::clamp(bytes / least * least, least, most) : 0;
  }

  void note(const allocation &a) {
    std::scoped_lock lock(mutex_);
    by_address_[a.address] = a;
    ++version_;
  }
  std::optional<allocation> forget(const void *address) {
    std::scoped_lock lock(mutex_);
    auto found = by_address_.find(reinterpret_cast<std::uintptr_t>(address));
    if (found == by_address_.end())
      return {};
    const allocation a = found->second;
    by_address_.erase(found);
    forgotten_[forgotten_count_++ % forgotten_.size()] = a;
    ++version_;
    return a;
  }

  // The nearest allocation.
  std::optional<allocation> nearest(std::uintptr_t byte) const {
    std::scoped_lock lock(mutex_);
    const auto after = by_address_.upper_bound(byte);
    if (after == by_address_.begin())
      return after == by_address_.end() ? std::nullopt : std::optional(after->second);
    const allocation &before = std::prev(after)->second;
    const bool is_before = after == by_address_.end() || byte < before.end() ||
                           byte - before.end() < after->second.address - byte;
    return is_before ? before : after->second;
  }
  // A recently freed allocation that contained the byte.
  std::optional<allocation> forgotten(std::uintptr_t byte) const {
    std::scoped_lock lock(mutex_);
    for (const allocation &a : forgotten_)
      if (a.has(byte))
        return a;
    return {};
  }

  // The allocation that contains the byte, itself or in its guards; of two, the nearer.
  std::optional<allocation> near(std::uintptr_t byte) const {
    std::scoped_lock lock(mutex_);
    auto after = by_address_.upper_bound(byte);
    std::optional<allocation> best;
    if (after != by_address_.begin())
      if (const allocation &a = std::prev(after)->second; byte - a.address < a.bytes + a.guard)
        best = a;
    if (after != by_address_.end())
      if (const allocation &a = after->second; a.address - byte <= a.guard)
        if (!best || (byte >= best->end() && a.address - byte < byte - best->end()))
          best = a;
    return best;
  }
  bool has_any(std::uintptr_t first, std::uintptr_t end) const {
    std::scoped_lock lock(mutex_);
    auto after = by_address_.lower_bound(end);
    if (after != by_address_.end() && after->second.address - after->second.guard < end)
      return true;
    return after != by_address_.begin() &&
           std::prev(after)->second.end() + std::prev(after)->second.guard > first;
  }

  // Differs after any change.
  unsigned version() const { return version_; }

  // For fork().
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, allocation> by_address_;
  std::array<allocation, 64> forgotten_{};
  std::size_t forgotten_count_ = 0;
  std::atomic<unsigned> version_ = 1;
  std::atomic<bool> is_guarded_ = false, knows_all_ = false;
};

// Never destroyed: a program may free memory until its very end.
inline allocation_table &allocations() {
  static allocation_table &table = *new allocation_table;
  return table;
}
inline const bool allocations_are_whole_in_forks =
    keep_whole_in_forks<allocation_table, allocations>();

// For the emulator. TESSERA_EMULATE_HOST_MEMORY=1: the GPU reads all memory of the host, as some
// systems let it.
inline bool guard_allocations() {
  const char *const whole = std::getenv("TESSERA_EMULATE_HOST_MEMORY");
  allocations().guard_from_now_on();
  allocations().know_all(!whole || !*whole || *whole == '0');
  return true;
}

} // namespace tessera::host
