// An emitted kernel as the host knows it, and the way from a kernel's entry to it.
//
// Each entry has a slot per library, which the registration at the end of the text fills: a launch
// reads it and nothing else. Who runs an entry keeps its library loaded, and with it the slot and
// the kernel.
#pragma once

#include "registry.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#ifdef TESSERA_EMULATE
#include <functional>
#endif

namespace tessera::host {

// What makes the maps that a kernel takes behind its `parameters` others, of the addresses of these
// (box_maps.h); null: it takes none.
struct map_maker {
  void (*make)(void *maps, void **arguments);
  unsigned parameters;
  unsigned bytes;
};

// What was planned for one architecture: that of __CUDA_ARCH__ / 10.
struct launch_plan {
  unsigned arch;
  unsigned threads;
  unsigned dynamic_shared_memory; // bytes
  map_maker maps = {nullptr, 0, 0};
};

// The addresses of what a kernel takes: the caller's arguments, and maps made of them. Launches
// copy what lies there.
class launch_arguments {
public:
  // Without a plan they are what was given.
  launch_arguments(const launch_plan *plan, void **given) : addresses(given), made(nullptr) {
    if (!plan || !plan->maps.make || !given)
      return;
    const std::size_t count = plan->maps.parameters, words = count + 2;
    constexpr std::size_t alignment = 64; // of a map
    made = ::operator new(words * sizeof(void *) + alignment + plan->maps.bytes);
    addresses = static_cast<void **>(made);
    for (std::size_t i = 0; i < count; ++i)
      addresses[i] = given[i];
    const auto behind = reinterpret_cast<std::uintptr_t>(addresses + words);
    void *const maps = reinterpret_cast<void *>((behind + alignment - 1) / alignment * alignment);
    addresses[count] = maps;
    addresses[count + 1] = nullptr;
    plan->maps.make(maps, given);
  }
  ~launch_arguments() { ::operator delete(made); }
  launch_arguments(const launch_arguments &) = delete;
  launch_arguments &operator=(const launch_arguments &) = delete;

  void **get() const { return addresses; }

private:
  void **addresses;
  void *made;
};

struct kernel_record {
  const void *kernel; // the emitted kernel
  const char *name;
  launch_plan plans[16]; // in the order of their architectures
  unsigned plan_count;
#ifdef TESSERA_EMULATE
  void (*call)(const void *kernel, void **arguments);
  std::function<void()> (*bind)(const void *kernel, void **arguments);
#else
  // What launches on each of the first devices use; null until the first launch there.
  static constexpr int device_count = 32;
  mutable const launch_plan *prepared[device_count];
#endif
};

// Read and written by the functions below.
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1407 // visibility, where the entry has internal linkage
#endif
template <class F, F Entry> TESSERA_OWN inline const kernel_record *kernel_slot = nullptr;
#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif

// The first of a library's registrations stays.
template <class F, F Entry> void fill_slot(const kernel_record *record) {
  const kernel_record *none = nullptr;
  __atomic_compare_exchange_n(&kernel_slot<F, Entry>, &none, record, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_ACQUIRE);
}
template <class F, F Entry> const kernel_record *read_slot() {
  return __atomic_load_n(&kernel_slot<F, Entry>, __ATOMIC_ACQUIRE);
}

} // namespace tessera::host
