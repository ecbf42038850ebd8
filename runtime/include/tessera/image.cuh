// Kernels of images that a host loads by itself: cubins, fatbins, PTX. Each stands under its
// mangled name, `extern "C"`, beside a constant NAME_tessera that says how it is launched.
//
// TESSERA_ONE_THREAD (config.cuh): with block 1 and no dynamic shared memory, as tile kernels are.
// The kernel's own number of threads is part of the image, its shared memory is static. Else with
// the threads and bytes of the constant: whoever launches it otherwise gets an error.
#pragma once

#include "arch/arch.cuh"

// Before a kernel: its threads, and the blocks that are to fit an SM (0: any number).
// NAME_tessera: threads and bytes of dynamic shared memory, as a launch gives them.
#ifdef TESSERA_ONE_THREAD
#define TESSERA_IMAGE_BOUNDS(threads, blocks)                                                      \
  __launch_bounds__(0, blocks) __block_size__((threads, 1, 1))
#define TESSERA_IMAGE_LAUNCH(threads, bytes) {1, 0}
#else
#define TESSERA_IMAGE_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define TESSERA_IMAGE_LAUNCH(threads, bytes) {threads, bytes}
#endif

namespace tessera {

// The first statement of a kernel. A launch with other threads or less memory ends with an error
// instead of reading and writing the wrong elements.
template <unsigned Threads, int Bytes> TESSERA_DEVICE void check_launch() {
#ifndef TESSERA_ONE_THREAD
  if (!arch::is_block_of(Threads) || arch::dynamic_shared_bytes() < Bytes)
    arch::stop();
#endif
}

} // namespace tessera
