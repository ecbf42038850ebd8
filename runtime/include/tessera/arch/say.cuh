// The report of a failed check. One thread of the grid prints it and stops the program; other
// threads with a report wait, because a thread that stops ends all.
#pragma once

#include "arch.cuh"

namespace tessera::arch {

#ifdef TESSERA_EMULATE

TESSERA_DEVICE void begin_saying() {}
template <class... A> TESSERA_DEVICE void say(const char *format, A... arguments) {
  emulate::say(format, arguments...);
}
TESSERA_DEVICE void stop_after_saying(const char *kernel, const char *message) {
  emulate::stop_after_saying(kernel, message);
}

#else

static __device__ unsigned speakers;

TESSERA_DEVICE void begin_saying() {
  if (atomicAdd(&speakers, 1u) != 0)
    while (true)
      asm volatile("nanosleep.u32 1000;");
}
template <class... A> TESSERA_DEVICE void say(const char *format, A... arguments) {
  printf(format, arguments...);
}
TESSERA_DEVICE void stop_after_saying(const char *, const char *) {
  __threadfence_system();
  stop();
}

#endif

} // namespace tessera::arch
