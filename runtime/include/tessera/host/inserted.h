// Names that the compiler inserts into a program's code and that no program may declare: they mean
// the runtime's entities whatever the program calls its parameters, functions and macros.
#pragma once

#include "configuration.h"
#if defined(TESSERA_TARGET_CPU) || defined(TESSERA_EMULATE)
#include "../emulate/engine.h"
#include "check.h"
#include "side.h"
#include "simt.h"
#endif

// The result lives to the end of the launch's expression.
inline auto __tessera_configure(dim3 grid, dim3 block = 1, std::size_t shared_memory = 0,
                                cudaStream_t stream = nullptr) {
  return tessera::host::configure(grid, block, shared_memory, stream);
}

// The same in an unevaluated operand, where nvcc (13.0, 13.5) crashes on an object with a
// destructor.
void __tessera_unevaluated(dim3 grid, dim3 block = 1, std::size_t shared_memory = 0,
                           cudaStream_t stream = nullptr);

template <class T> using __tessera_parameter = tessera::host::parameter<T>;

#if defined(TESSERA_TARGET_CPU) || defined(TESSERA_EMULATE)

template <class F, F Entry, class Name> tessera::host::simt_launch *__tessera_simt_launch(Name) {
  return tessera::host::pending_simt_launch<F, Entry>(Name());
}
template <class Launch, class... Arguments>
void __tessera_run(Launch *launch, const Arguments &...arguments) {
  launch->run(arguments...);
}

constexpr bool __tessera_on_device() { return tessera::host::on_device(); }

// The memory of `extern __shared__ T x[];`.
template <class T> T *__tessera_dynamic_shared() {
  return reinterpret_cast<T *>(tessera::emulate::current->block->shared);
}

template <class A, class I> constexpr I &&__tessera_array_index(const char *name, I &&index) {
  return tessera::host::array_index<A>(name, static_cast<I &&>(index));
}

#endif

#ifdef TESSERA_TARGET_CPU

namespace cuda::tiles {}
namespace __tessera_tiles = cuda::tiles;

inline tessera::host::cpu_launch *__tessera_tile_launch(const char *kernel = __builtin_FUNCTION()) {
  return tessera::host::pending_launch(kernel);
}

#else

template <class F, F Entry, class... P> void __tessera_launch(const P &...arguments) {
  tessera::host::launch<F, Entry>(arguments...);
}
template <class... P>
tessera::host::any_launch<P...> __tessera_launch_any(void (*kernel)(P...), dim3 grid,
                                                     dim3 block = 1, std::size_t shared_memory = 0,
                                                     cudaStream_t stream = nullptr) {
  return tessera::host::launch_any(kernel, grid, block, shared_memory, stream);
}

#ifndef TESSERA_EMULATE
namespace __tessera_calls = tessera::host::calls;
#endif

#endif
