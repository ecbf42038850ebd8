// SIMT kernels without a GPU: their code is unchanged, and the emulator's engine runs their
// threads.
//
// A SIMT kernel stays a function; its first statement turns a launch into a run of its threads:
//   if (auto *__tessera = __tessera_simt_launch<void (*)(T), &kernel>([] { return "kernel"; }))
//   return __tessera_run(__tessera, "kernel", [=] { (kernel)(args...); });
// Inside a block no launch is pending, so the body follows. Its memory accesses are not checked for
// races.
#pragma once

#include "../emulate/cuda.h"
#include "../emulate/engine.h"
#include "capture.h"
#include "configuration.h"
#include "entry.h"
#include "side.h"

namespace tessera::host {

// Sets the sticky error of a kernel that failed while it ran; it is also the thread's last error.
// Part of the library tessera_cpu.
void fail_device(cudaError_t error, const char *message);

// The result of a run of the engine, which has reported its findings itself.
inline cudaError_t result_of(bool has_finished) {
  if (has_finished)
    return cudaSuccess;
  const emulate::failure why = emulate::why_halted();
  fail_device(why.error, why.message.c_str());
  return why.error;
}

struct simt_launch {
  launch_configuration configuration;

  // Returns when every thread is done. A configuration that CUDA refuses runs nothing; the runtime
  // records the error.
  template <class Body> void run(const char *name, Body body) {
    const auto &[grid, block, shared_memory, stream] = configuration;
    constexpr unsigned long long max_threads = 1024;
    const unsigned long long threads = 1ull * block.x * block.y * block.z;
    if (!is_tile_launch(grid, 1) || threads == 0 || threads > max_threads) {
      cudaLaunchKernel(nullptr, grid, dim3(0, 0, 0), nullptr, 0, stream);
      return;
    }
    run_in(stream, [c = configuration, body, name]() mutable {
      return result_of(emulate::run(c.grid, c.block, c.shared_memory, body, name));
    });
  }
};

// Registers a SIMT kernel by its address. Every instantiated kernel has one, since its body names
// it; `Name` returns the kernel's name.
template <class F, F Entry, class Name> struct simt_registration;
template <class... P, void (*Entry)(P...), class Name>
struct simt_registration<void (*)(P...), Entry, Name> {
  static inline const entry_registration<P...> by_address{Entry, Name()(), /*is_simt=*/true};
};

template <class F, F Entry, class Name> simt_launch *pending_simt_launch(Name) {
  (void)&simt_registration<F, Entry, Name>::by_address;
  return take_pending<simt_launch>();
}

} // namespace tessera::host
