// The header of a program whose tile kernels run on the CPU. Link with the libraries
// tessera_emulate, for SIMT kernels in the same program, and tessera_cpu in place of cudart.
//
// A tile kernel stays a function; its first statement turns a launch into a run over the grid:
//   if (auto *__tessera = __tessera_tile_launch()) return __tessera_run(__tessera, [=] {
//   (kernel)(args...); });
// Threads that run blocks have no pending launch, so the body follows.
#pragma once

#ifndef TESSERA_TARGET_CPU
#define TESSERA_TARGET_CPU
#endif

#include "../macros_begin.h"

#include "../tile/nvcc.h"
#include "block.h"
#include "capture.h"
#include "check.h"
#include "configuration.h"
#include "entry.h"
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

namespace tessera::host {

// Runs call(body) once per block of the grid and returns when all are done. A configuration that
// CUDA refuses runs nothing and sets cudaErrorInvalidConfiguration for cudaGetLastError. `kernel`
// is its name in messages.
void run_grid(const launch_configuration &configuration, void (*call)(void *), void *body,
              const char *kernel);

struct cpu_launch {
  launch_configuration configuration;
  const char *kernel = "";

  template <class Body> void run(Body body) {
    auto start = [c = configuration, body, kernel = kernel]() mutable {
      run_grid(
          c, [](void *erased) { (*static_cast<Body *>(erased))(); }, std::addressof(body), kernel);
      return cudaSuccess;
    };
    if (is_tile_launch(configuration.grid, configuration.block))
      run_in(configuration.stream, std::move(start));
    else
      start(); // which is refused
  }
};

// Called by the kernel, whose name the compiler knows.
inline cpu_launch *pending_launch(const char *kernel = __builtin_FUNCTION()) {
  cpu_launch *const launch = take_pending<cpu_launch>();
  if (launch)
    launch->kernel = kernel;
  return launch;
}

// One per tile kernel at the end of a program's code, so that cudaLaunchKernel finds it.
template <class F, F Entry> struct kernel_registration;
template <class... P, void (*Entry)(P...)> struct kernel_registration<void (*)(P...), Entry> {
  explicit kernel_registration(const char *name) : by_address(Entry, name) {}
  entry_registration<P...> by_address;
};

} // namespace tessera::host

#include "inserted.h"

#include "../macros_end.h"
