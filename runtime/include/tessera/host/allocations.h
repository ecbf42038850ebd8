// The device memory of a program where there is no GPU: cudaMalloc notes it, the emulator asks
// whether an access is inside.
//
// Under the emulator every allocation lies between guards, so that an access a little outside of it
// can be told from one of other memory of the process.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace tessera::host {

struct allocation {
  std::uintptr_t address;
  std::size_t bytes;
  std::size_t guard; // bytes before and behind
  void *storage;

  std::uintptr_t end() const { return address + bytes; }
};

class allocation_table {
public:
  // The emulator's programs say so before main.
  void guard_from_now_on() { is_guarded_ = true; }
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
    allocation a = found->second;
    by_address_.erase(found);
    ++version_;
    return a;
  }

  // The allocation that has the byte, itself or in its guards; of two, the nearer.
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

private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, allocation> by_address_;
  std::atomic<unsigned> version_ = 1;
  std::atomic<bool> is_guarded_ = false;
};

// Never destroyed: a program may free memory until its very end.
inline allocation_table &allocations() {
  static allocation_table &table = *new allocation_table;
  return table;
}

} // namespace tessera::host
