// An emitted kernel as the host knows it, and the way from a kernel's entry to it.
//
// Each entry has a slot per library, which the registration at the end of the text fills: a launch
// reads it and nothing else. Who runs an entry keeps its library loaded, and with it the slot and
// the kernel.
#pragma once

#include "registry.h"

#include <cstddef>
#include <initializer_list>
#ifdef TESSERA_EMULATE
#include <functional>
#endif

namespace tessera::host {

// What was planned for one architecture: that of __CUDA_ARCH__ / 10.
struct launch_plan {
  unsigned arch;
  unsigned threads;
  unsigned dynamic_shared_memory; // bytes
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
