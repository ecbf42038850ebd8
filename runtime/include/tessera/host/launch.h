// What the rewritten text of a program needs on the host side: launches of tile kernels on a GPU,
// or under the emulator (TESSERA_EMULATE).
//
// A tile kernel's entry is a plain function that calls launch(); the emitted kernel behind it has
// its own number of threads. A registration per kernel connects the two. Launch facts come from the
// device image of the kernel, since each architecture may have its own plan; the emulator, where
// there is no image, takes them from the registration.
#pragma once

#include "configuration.h"

#include <cstddef>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>

#ifdef TESSERA_EMULATE
#include "simt.h"
#include "symbols.h"
#endif

namespace tessera::host {

// An emitted kernel.
struct kernel_record {
  const void *kernel;
  const char *name;
  unsigned threads;
  std::size_t dynamic_shared_memory;
#ifdef TESSERA_EMULATE
  void (*call)(const void *kernel, void **arguments);
#endif
};

// The emitted kernels by entry.
inline std::unordered_map<const void *, kernel_record> &kernel_registry() {
  static std::unordered_map<const void *, kernel_record> registry;
  return registry;
}

inline const kernel_record *find_kernel(const void *entry) {
  auto found = kernel_registry().find(entry);
  return found == kernel_registry().end() ? nullptr : &found->second;
}

#ifdef TESSERA_EMULATE

struct kernel_registration {
  template <class Entry, class... P> kernel_registration(Entry entry, void (*kernel)(P...),
                                                         const char *name, unsigned threads,
                                                         std::size_t dynamic_shared_memory = 0) {
    kernel_registry()[reinterpret_cast<const void *>(entry)] = {
        reinterpret_cast<const void *>(kernel), name, threads, dynamic_shared_memory, &call<P...>};
  }

private:
  template <class... P> static void call(const void *kernel, void **arguments) {
    call<P...>(kernel, arguments, std::index_sequence_for<P...>());
  }
  template <class... P, std::size_t... I> static void
  call(const void *kernel, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    reinterpret_cast<void (*)(P...)>(const_cast<void *>(kernel))(
        *static_cast<std::remove_reference_t<P> *>(arguments[I])...);
  }
};

inline cudaError_t launch_record(const kernel_record &k, dim3 grid, void **arguments,
                                 cudaStream_t) {
  return result_of(emulate::run(
      grid, k.threads, k.dynamic_shared_memory, [&] { k.call(k.kernel, arguments); }, k.name));
}

#else

struct kernel_registration {
  kernel_registration(const void *entry, const void *kernel, const char *name, unsigned threads = 0,
                      std::size_t dynamic_shared_memory = 0) {
    kernel_registry()[entry] = {kernel, name, threads, dynamic_shared_memory};
  }
};

// The number of threads that the kernel was compiled for on the current device (its launch bounds),
// after it was allowed the shared memory that it needs. Asked of the device once; 0 after an error,
// which cudaGetLastError then gives.
inline unsigned prepare(const kernel_record &k) {
  static std::mutex mutex;
  static std::unordered_map<const void *, std::unordered_map<int, unsigned>> prepared;
  constexpr std::size_t without_asking = 48 << 10;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess)
    return 0;
  std::lock_guard<std::mutex> lock(mutex);
  unsigned &threads = prepared[k.kernel][device];
  if (threads)
    return threads;
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, k.kernel) != cudaSuccess)
    return 0;
  if (k.dynamic_shared_memory > without_asking &&
      cudaFuncSetAttribute(k.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(k.dynamic_shared_memory)) != cudaSuccess)
    return 0;
  return threads = static_cast<unsigned>(attributes.maxThreadsPerBlock);
}

inline cudaError_t launch_record(const kernel_record &k, dim3 grid, void **arguments,
                                 cudaStream_t stream) {
  const unsigned threads = prepare(k);
  return threads
             ? cudaLaunchKernel(k.kernel, grid, threads, arguments, k.dynamic_shared_memory, stream)
             : cudaPeekAtLastError();
}

#endif

// In place of cudaLaunchKernel. The runtime itself refuses a block of no threads, and so notes the
// error of a tile kernel that was launched with a block size.
inline cudaError_t launch_kernel(const void *func, dim3 grid, dim3 block, void **arguments,
                                 std::size_t shared_memory = 0, cudaStream_t stream = nullptr) {
  const kernel_record *k = find_kernel(func);
  if (!k)
    return cudaLaunchKernel(func, grid, block, arguments, shared_memory, stream);
  if (!is_tile_launch(grid, block))
    return cudaLaunchKernel(k->kernel, grid, dim3(0, 0, 0), arguments, 0, stream);
  return launch_record(*k, grid, arguments, stream);
}
template <class... P> cudaError_t launch_kernel(void (*func)(P...), dim3 grid, dim3 block,
                                                void **arguments, std::size_t shared_memory = 0,
                                                cudaStream_t stream = nullptr) {
  return launch_kernel(reinterpret_cast<const void *>(func), grid, block, arguments, shared_memory,
                       stream);
}

// A C-style cast, because no other drops the __restrict__ of a parameter.
template <class T> void *address_of(const T &x) { return (void *)&x; }

// What the entry of a tile kernel does: launches the kernel behind it with the configuration of the
// launch that called the entry.
template <class... P> void launch(const void *entry, const P &...arguments) {
  const launch_configuration c = take_configuration();
  void *addresses[] = {address_of(arguments)..., nullptr};
  launch_kernel(entry, c.grid, c.block, addresses, c.shared_memory, c.stream);
}

template <class T> struct as_is {
  using type = T;
};

// The launch of a kernel that is known as a pointer only: a tile kernel's entry or any other
// kernel.
template <class... P> struct any_launch {
  void (*kernel)(P...);
  launch_configuration configuration;

  void operator()(typename as_is<P>::type... arguments) const {
#ifdef TESSERA_EMULATE
    // Every kernel's text takes its launch from here.
    configured_launches.push_back(configuration);
    kernel(arguments...);
#else
    void *addresses[] = {address_of(arguments)..., nullptr};
    launch_kernel(kernel, configuration.grid, configuration.block, addresses,
                  configuration.shared_memory, configuration.stream);
#endif
  }
};
template <class... P> any_launch<P...> launch_any(void (*kernel)(P...), dim3 grid, dim3 block = 1,
                                                  std::size_t shared_memory = 0,
                                                  cudaStream_t stream = nullptr) {
  return {kernel, {grid, block, shared_memory, stream}};
}

} // namespace tessera::host
