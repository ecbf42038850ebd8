// The kernels of a process by the addresses of their entries, for launches that have only an
// address (cudaLaunchKernel, graphs, occupancy). `k<<<...>>>` does not use it.
//
// Libraries come and go while other threads launch. A look-up that repeats a thread's last one
// takes no lock and searches nothing: a thread keeps its last answer as long as the table is
// unchanged. An entry that several libraries contain (a template) has one address, which the loader
// chose; the kernel of the library that contains this address is preferred, since it lives as long
// as the entry.
//
// All generated code includes this: the standard library's mutex, atomics and containers would be
// half of nvcc's time for a small kernel.
#pragma once

#include "configuration.h"

#include <cstddef>
#include <cstdint>
#include <pthread.h>

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif

namespace tessera::host {

struct lock {
  pthread_mutex_t &held;

  explicit lock(pthread_mutex_t &mutex) : held(mutex) { pthread_mutex_lock(&held); }
  ~lock() { pthread_mutex_unlock(&held); }
  lock(const lock &) = delete;
  lock &operator=(const lock &) = delete;
};

template <class Record> class TESSERA_SHARED kernel_registry {
public:
  // Never destroyed: threads may launch until the very end of the process.
  static kernel_registry &instance() {
    static kernel_registry *const made = new kernel_registry;
    return *made;
  }

  void add(const void *entry, const Record *record) {
    // After the others, or before them if it lives as long as the entry.
    const bool is_own = is_same_library(entry, record);
    const lock held(mutex);
    node **place = &bucket(entry);
    while (!is_own && *place)
      place = &(*place)->next;
    *place = new node{entry, record, *place};
    change();
  }

  void remove(const void *entry, const Record *record) {
    const lock held(mutex);
    node **place = &bucket(entry);
    while (*place && ((*place)->entry != entry || (*place)->record != record))
      place = &(*place)->next;
    if (node *const found = *place) {
      *place = found->next;
      delete found;
      change();
    }
  }

  // Null if `entry` is no entry of a tile kernel.
  const Record *find(const void *entry) {
    static thread_local answer last;
    const unsigned long long now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    if (last.entry != entry || last.generation != now)
      last = search(entry);
    return last.record;
  }

  // For fork(): the child must find it free.
  void hold() { pthread_mutex_lock(&mutex); }
  void release() { pthread_mutex_unlock(&mutex); }

  // The entry of a record, or null. A linear search.
  template <class Predicate> const void *find_entry(Predicate is_wanted) {
    const lock held(mutex);
    for (const node *found : buckets)
      for (; found; found = found->next)
        if (is_wanted(*found->record))
          return found->entry;
    return nullptr;
  }

private:
  struct node {
    const void *entry;
    const Record *record;
    node *next;
  };

  struct answer {
    const void *entry = nullptr;
    const Record *record = nullptr;
    unsigned long long generation = 0;
  };

  answer search(const void *entry) {
    const lock held(mutex);
    const node *found = bucket(entry);
    while (found && found->entry != entry)
      found = found->next;
    return {entry, found ? found->record : nullptr, generation};
  }

  // Entries that share a bucket are in one list. Functions are aligned to 16 bytes.
  node *&bucket(const void *entry) {
    return buckets[reinterpret_cast<std::uintptr_t>(entry) / 16 % bucket_count];
  }

  // With the mutex held; readers without it see that their answer is outdated.
  void change() { __atomic_store_n(&generation, generation + 1, __ATOMIC_RELEASE); }

  static bool is_same_library([[maybe_unused]] const void *a, [[maybe_unused]] const void *b) {
#if __has_include(<dlfcn.h>)
    Dl_info of_a, of_b;
    return dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
#else
    return true;
#endif
  }

  static constexpr std::size_t bucket_count = 1021;

  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  node *buckets[bucket_count] = {};
  unsigned long long generation = 1;
};

} // namespace tessera::host
