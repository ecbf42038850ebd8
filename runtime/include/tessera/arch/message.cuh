// A message of several printfs. Those of other blocks wait for its end, so that it is printed as a
// whole.
#pragma once

#include "arch.cuh"

namespace tessera::arch {

#ifdef TESSERA_EMULATE

TESSERA_DEVICE void begin_message() { emulate::begin_message(); }
template <class... T> TESSERA_DEVICE void print(const char *format, T... values) {
  emulate::print(format, values...);
}
TESSERA_DEVICE void end_message() { emulate::end_message(); }

#else

// A template, so that only kernels that print have it, under a name that no path of a file enters.
template <class> __device__ unsigned is_message_open = 0;

// The block that has begun a message runs until its end, so the others do not wait for ever.
TESSERA_DEVICE void begin_message() {
  while (atomicCAS(&is_message_open<void>, 0u, 1u) != 0)
    asm volatile("nanosleep.u32 1000;");
  __threadfence();
}
template <class... T> TESSERA_DEVICE void print(const char *format, T... values) {
  printf(format, values...);
}
TESSERA_DEVICE void end_message() {
  __threadfence();
  atomicExch(&is_message_open<void>, 0u);
}

#endif

} // namespace tessera::arch
