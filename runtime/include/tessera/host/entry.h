// Entries of kernels without a GPU: the library tessera_cpu, in place of the CUDA runtime, finds
// them by address.
#pragma once

#include "configuration.h"

#include <type_traits>
#include <utility>

namespace tessera::host {

// Calls a function with arguments passed by address, as to cudaLaunchKernel.
using kernel_caller = void (*)(const void *function, void **arguments);

template <class... P, std::size_t... I>
void call_with(const void *function, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
  reinterpret_cast<void (*)(P...)>(const_cast<void *>(function))(argument<P>(arguments[I])...);
}
template <class... P> void call(const void *function, void **arguments) {
  call_with<P...>(function, arguments, std::index_sequence_for<P...>());
}

// An entry that launches can name by its address.
struct entry_record {
  kernel_caller call;
  const char *name;
  const std::size_t *parameter_sizes; // one per parameter, then 0
  bool is_simt;                       // else its blocks have one thread
};
void register_entry(const void *entry, const entry_record *record);
void unregister_entry(const void *entry, const entry_record *record);

template <class... P> class entry_registration {
public:
  entry_registration(void (*entry)(P...), const char *name, bool is_simt = false)
      : entry(reinterpret_cast<const void *>(entry)), record{&call<P...>, name, sizes, is_simt} {
    register_entry(this->entry, &record);
  }
  ~entry_registration() { unregister_entry(entry, &record); }
  entry_registration(const entry_registration &) = delete;
  entry_registration &operator=(const entry_registration &) = delete;

private:
  static constexpr std::size_t sizes[] = {sizeof(std::remove_reference_t<P>)..., 0};

  const void *const entry;
  const entry_record record;
};

} // namespace tessera::host
