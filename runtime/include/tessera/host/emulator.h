// Tile kernels under the emulator: emitted kernels are host functions, planned for one
// architecture.
#pragma once

#include "allocations.h"
#include "entry.h"
#include "kernel.h"
#include "simt.h"
#include "symbols.h"

#include <type_traits>
#include <utility>

namespace tessera::host {

inline cudaError_t launch_record(const kernel_record &k, dim3 grid, void **arguments,
                                 cudaStream_t) {
  return result_of(emulate::run(
      grid, k.plans[0].threads, k.plans[0].dynamic_shared_memory,
      [&] { k.call(k.kernel, arguments); }, k.name));
}

inline const bool allocations_are_guarded = (allocations().guard_from_now_on(), true);

template <class F, F Entry> class kernel_registration;
template <class... P, void (*Entry)(P...)> class kernel_registration<void (*)(P...), Entry> {
public:
  // The kernel takes the addresses of what the entry takes by reference.
  template <class... K> kernel_registration(void (*kernel)(K...), const char *name,
                                            std::initializer_list<launch_plan> plans)
      : record{reinterpret_cast<const void *>(kernel), name, {*plans.begin()}, 1, &call<K...>},
        by_address(Entry, name) {
    fill_slot<void (*)(P...), Entry>(&record);
  }

private:
  kernel_record record;
  entry_registration<P...> by_address;
};

} // namespace tessera::host
