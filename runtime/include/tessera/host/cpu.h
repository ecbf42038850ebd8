// What the text of a program needs at its top when its tile kernels run on the CPU. Link with the
// libraries tessera_emulate, for SIMT kernels beside them, and tessera_cpu in place of cudart.
//
// A tile kernel stays a function; its first statement turns a launch into a run over the grid:
//   if (auto *launch = tessera::host::pending_launch()) return launch->run([&] { kernel(args...);
//   });
// On the threads that run blocks nothing is pending, so the body follows.
#pragma once

#ifndef TESSERA_TARGET_CPU
#define TESSERA_TARGET_CPU
#endif

#include "block.h"
#include "configuration.h"
#include "simt.h"
#include "symbols.h"

// Specifiers that the CUDA headers leave undefined for a plain compiler.
#ifndef __noinline__
#define __noinline__
#endif
#ifndef __inline_hint__
#define __inline_hint__
#endif

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tessera::host {

// Runs call(body) once per block of the grid and returns when all are done. A configuration that
// CUDA refuses runs nothing and leaves cudaErrorInvalidConfiguration for cudaGetLastError.
void run_grid(const launch_configuration &configuration, void (*call)(void *), void *body);

struct cpu_launch {
  launch_configuration configuration;

  template <class Body> void run(Body &&body) {
    using body_type = std::remove_reference_t<Body>;
    run_grid(
        configuration, [](void *erased) { (*static_cast<body_type *>(erased))(); },
        std::addressof(body));
  }
};

inline cpu_launch *pending_launch() { return take_pending<cpu_launch>(); }

// Calls a kernel with the arguments that cudaLaunchKernel got: the address of each.
using kernel_caller = void (*)(const void *entry, void **arguments);
void register_kernel(const void *entry, kernel_caller call, const char *name);

// One per tile kernel at the end of a program's text, so that cudaLaunchKernel finds it.
struct kernel_registration {
  template <class... P> kernel_registration(void (*entry)(P...), const char *name) {
    register_kernel(reinterpret_cast<const void *>(entry), &call<P...>, name);
  }

private:
  template <class... P> static void call(const void *entry, void **arguments) {
    call<P...>(entry, arguments, std::index_sequence_for<P...>());
  }
  template <class... P, std::size_t... I> static void
  call(const void *entry, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    reinterpret_cast<void (*)(P...)>(const_cast<void *>(entry))(
        *static_cast<std::remove_reference_t<P> *>(arguments[I])...);
  }
};

} // namespace tessera::host
