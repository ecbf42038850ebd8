// Passes the launch configuration from a launch to the kernel's entry: `k<<<grid, block, shared,
// stream>>>(args)` is rewritten to `(configure(grid, block, shared, stream), k(args))`.
//
// Configurations form a stack per thread, since the arguments of one launch may themselves launch.
// On a GPU it is the CUDA runtime's own stack, so any code, rewritten or not, that has an entry as
// a pointer to a kernel launches it correctly. An argument may throw: the object that configure()
// returns lives as long as the launch's expression, and pops a configuration that no entry has
// taken.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <exception>
#include <type_traits>

// One object for all libraries of a process, whatever -fvisibility says.
#define TESSERA_SHARED __attribute__((visibility("default")))
// One object for each library.
#define TESSERA_OWN __attribute__((visibility("hidden")))
// Initialized before the program's own objects: their launches find their kernels.
#define TESSERA_FIRST __attribute__((__init_priority__(101)))

#if defined(TESSERA_EMULATE) || defined(TESSERA_TARGET_CPU) || !defined(__CUDACC__)
#define TESSERA_OWN_CONFIGURATIONS
#include "side.h"
#include <vector>
#elif defined(__clang__)
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_memory,
                                                void *stream);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                                  std::size_t *shared_memory, void *stream);
#else
extern "C" unsigned CUDARTAPI __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                          std::size_t shared_memory,
                                                          CUstream_st *stream);
extern "C" cudaError_t CUDARTAPI __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                                            std::size_t *shared_memory,
                                                            void *stream);
#endif

namespace tessera::host {

// An argument of a launch, passed by address, converted to a parameter of type P.
template <class P> P argument(void *address) {
  return static_cast<P>(*static_cast<std::remove_reference_t<P> *>(address));
}

struct launch_configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_memory;
  cudaStream_t stream;
};

#ifdef TESSERA_OWN_CONFIGURATIONS

TESSERA_SHARED inline thread_local std::vector<launch_configuration> configured_launches;

inline void push_configuration(const launch_configuration &c) { configured_launches.push_back(c); }

// The configuration of the launch that called the running entry. A call without one launches
// nothing: the runtime refuses a grid without blocks.
inline launch_configuration take_configuration() {
  if (configured_launches.empty())
    return {dim3(0, 0, 0), dim3(1), 0, nullptr};
  launch_configuration c = configured_launches.back();
  configured_launches.pop_back();
  return c;
}

// The launch that called the running kernel entry, once; null inside a block, even if the block's
// thread is preparing a launch. Launch holds its configuration.
template <class Launch> Launch *take_pending() {
  if (is_running_kernel || configured_launches.empty())
    return nullptr;
  static thread_local Launch current;
  current.configuration = take_configuration();
  return &current;
}

#else

inline void push_configuration(const launch_configuration &c) {
  __cudaPushCallConfiguration(c.grid, c.block, c.shared_memory, c.stream);
}

inline launch_configuration take_configuration() {
  launch_configuration c{dim3(0, 0, 0), dim3(1), 0, nullptr};
  __cudaPopCallConfiguration(&c.grid, &c.block, &c.shared_memory, &c.stream);
  return c;
}

#endif

// For the expression of a launch: its entry takes the configuration, however it was compiled,
// unless an argument throws before the call.
class configured_launch {
public:
  explicit configured_launch(const launch_configuration &c) { push_configuration(c); }
  ~configured_launch() {
    if (std::uncaught_exceptions() > before)
      take_configuration();
  }
  configured_launch(const configured_launch &) = delete;
  configured_launch &operator=(const configured_launch &) = delete;

private:
  const int before = std::uncaught_exceptions();
};

inline configured_launch configure(dim3 grid, dim3 block = 1, std::size_t shared_memory = 0,
                                   cudaStream_t stream = nullptr) {
  return configured_launch({grid, block, shared_memory, stream});
}

template <class T> struct without_qualifiers {
  using type = std::remove_cv_t<T>;
};
template <class T> struct without_qualifiers<T *__restrict__> {
  using type = T *;
};
template <class T> struct without_qualifiers<T *const __restrict__> {
  using type = T *;
};
// A parameter's type as in its function's type, for compilers that keep qualifiers there if the
// type depends on a template's arguments: GCC, if nvcc leaves decltype(x) to it (13.5).
template <class T> using parameter = typename without_qualifiers<T>::type;

// A tile kernel has no block size: an explicit one must be 1. The limits of a grid are CUDA's.
inline bool is_tile_launch(dim3 grid, dim3 block) {
  const bool one_thread = block.x == 1 && block.y == 1 && block.z == 1;
  return one_thread && grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 0x7fffffffu &&
         grid.y <= 0xffffu && grid.z <= 0xffffu;
}

} // namespace tessera::host
