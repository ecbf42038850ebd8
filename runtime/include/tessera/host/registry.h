// The kernels of a process by the addresses of their entries, for launches that have nothing but an
// address (cudaLaunchKernel, graphs, occupancy). `k<<<...>>>` does not come here.
//
// Libraries come and go while other threads launch. A look-up that repeats a thread's last one
// takes no lock and searches nothing: a thread keeps its last answer for as long as the table is
// the same. An entry of several libraries (a template) is one address, which the loader chose; the
// kernel of the library that this address lies in is preferred, since it lives as long as the entry
// does.
#pragma once

#include "configuration.h"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif

namespace tessera::host {

template <class Record> class TESSERA_SHARED kernel_registry {
public:
  // Never destroyed: threads may launch until the very end of the process.
  static kernel_registry &instance() {
    static kernel_registry *const made = new kernel_registry;
    return *made;
  }

  void add(const void *entry, const Record *record) {
    const bool is_own = is_same_library(entry, record);
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<const Record *> &records = kernels[entry];
    records.insert(is_own ? records.begin() : records.end(), record);
    generation.fetch_add(1, std::memory_order_release);
  }

  void remove(const void *entry, const Record *record) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = kernels.find(entry);
    if (found == kernels.end())
      return;
    std::vector<const Record *> &records = found->second;
    for (std::size_t i = records.size(); i-- > 0;)
      if (records[i] == record)
        records.erase(records.begin() + static_cast<std::ptrdiff_t>(i));
    if (records.empty())
      kernels.erase(found);
    generation.fetch_add(1, std::memory_order_release);
  }

  // Null for what is no entry of a tile kernel.
  const Record *find(const void *entry) {
    static thread_local answer last;
    const unsigned long long now = generation.load(std::memory_order_acquire);
    if (last.entry != entry || last.generation != now)
      last = search(entry);
    return last.record;
  }

private:
  struct answer {
    const void *entry = nullptr;
    const Record *record = nullptr;
    unsigned long long generation = 0;
  };

  answer search(const void *entry) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = kernels.find(entry);
    return {entry, found == kernels.end() ? nullptr : found->second.front(),
            generation.load(std::memory_order_relaxed)};
  }

  static bool is_same_library([[maybe_unused]] const void *a, [[maybe_unused]] const void *b) {
#if __has_include(<dlfcn.h>)
    Dl_info of_a, of_b;
    return dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
#else
    return true;
#endif
  }

  std::mutex mutex;
  std::unordered_map<const void *, std::vector<const Record *>> kernels;
  std::atomic<unsigned long long> generation{1};
};

} // namespace tessera::host
