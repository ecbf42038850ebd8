// The host side of rewritten code: launches of tile kernels on a GPU, or under the emulator
// (TESSERA_EMULATE).
//
// A tile kernel's entry is a plain function that calls launch(); the generated kernel that it
// launches has its own number of threads and shared memory for each architecture. A registration
// per kernel connects the two.
#pragma once

#ifdef TESSERA_VERIFY_LAUNCHES
#include "verify.h"
#endif
#ifdef TESSERA_EMULATE
#include "emulator.h"
#else
#include "gpu.h"
#include "runtime_calls.h"
#endif

#include <type_traits>
#include <utility>

namespace tessera::host {

// A C-style cast, because no other cast drops the __restrict__ of a parameter.
template <class T> void *address_of(const T &x) { return (void *)&x; }

// The body of a tile kernel's entry: launches its generated kernel with the configuration of the
// launch that called the entry.
template <class F, F Entry, class... P> void launch(const P &...arguments) {
  const launch_configuration c = take_configuration();
  void *addresses[] = {address_of(arguments)..., nullptr};
#ifdef TESSERA_VERIFY_LAUNCHES
  const verified_arguments noted(arguments...);
#endif
  const kernel_record *k = read_slot<F, Entry>();
  if (!k) // the runtime records the error
    cudaLaunchKernel(nullptr, c.grid, c.block, addresses, 0, c.stream);
  else if (is_tile_launch(c.grid, c.block))
    launch_record(*k, c.grid, addresses, c.stream);
  else
    refuse_launch(*k, addresses, c.stream);
}

template <class T> struct as_is {
  using type = T;
};

// The launch through a kernel pointer: to a tile kernel's entry or to any other kernel. Either
// takes the configuration.
template <class... P> struct any_launch {
  void (*kernel)(P...);
  launch_configuration configuration;

  void operator()(typename as_is<P>::type... arguments) const {
    push_configuration(configuration);
    kernel(std::forward<P>(arguments)...);
  }
};
template <class... P> any_launch<P...> launch_any(void (*kernel)(P...), dim3 grid, dim3 block = 1,
                                                  std::size_t shared_memory = 0,
                                                  cudaStream_t stream = nullptr) {
  return {kernel, {grid, block, shared_memory, stream}};
}

} // namespace tessera::host

#include "inserted.h"
