// Kernels of images that a host loads itself: cubins, fatbins, PTX. Each is `extern "C"` under its
// mangled name, with a constant NAME_tessera that describes its launch.
//
// With TESSERA_ONE_THREAD (config.cuh), kernels are launched with block 1 and no dynamic shared
// memory, like tile kernels: the number of threads is part of the image, and shared memory is
// static. Otherwise they are launched with the threads and bytes of the constant; any other launch
// is an error. The emulator's driver launches them so (emulate/image.h).
#pragma once

#include "arch/arch.cuh"

// Precedes a kernel: its threads, and the blocks that must fit an SM (0: any number). NAME_tessera:
// threads and bytes of dynamic shared memory for the launch.
#if defined(TESSERA_EMULATE)
#include <tessera/emulate/image.h>
#elif defined(TESSERA_ONE_THREAD)
#define TESSERA_IMAGE_BOUNDS(threads, blocks)                                                      \
  __launch_bounds__(0, blocks) __block_size__((threads, 1, 1))
#define TESSERA_IMAGE_LAUNCH(threads, bytes) {1, 0}
#else
#define TESSERA_IMAGE_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define TESSERA_IMAGE_LAUNCH(threads, bytes) {threads, bytes}
#endif

namespace tessera {

// The first statement of a kernel. A launch with other threads or less memory ends with an error
// instead of accessing the wrong elements.
template <unsigned Threads, int Bytes> TESSERA_DEVICE void check_launch() {
#if !defined(TESSERA_ONE_THREAD) && !defined(TESSERA_EMULATE)
  if (!arch::is_block_of(Threads) || arch::dynamic_shared_bytes() < Bytes)
    arch::stop();
#endif
}

} // namespace tessera
