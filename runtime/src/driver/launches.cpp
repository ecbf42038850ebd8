// Launches: a grid runs before the call returns. After a kernel has failed every launch is an
// error, as on a GPU.
#include "arrays.h"
#include "driver.h"
#include "interrupts.h"

#include <tessera/emulate/engine.h>

#include <cstdio>

namespace tessera::driver {

CUresult launch(const CUlaunchConfig &how, CUfunction function, void **arguments) {
  if (how.gridDimX == 0 || how.gridDimY == 0 || how.gridDimZ == 0)
    return failed(CUDA_ERROR_INVALID_VALUE, "the grid is empty");
  if (how.gridDimY > 0xffff || how.gridDimZ > 0xffff)
    return failed(CUDA_ERROR_INVALID_VALUE, "the grid is too large");
  if (how.blockDimX != 1 || how.blockDimY != 1 || how.blockDimZ != 1)
    return failed(CUDA_ERROR_INVALID_VALUE, "a tile kernel is launched with one thread");
  const arrays_of_launch arrays;
  const interruptible running;
  const bool has_finished =
      kernel_of(function).launch(how.gridDimX, how.gridDimY, how.gridDimZ, arguments);
  std::fflush(stdout); // what the kernel printed stands before what the program prints next
  if (has_finished)
    return CUDA_SUCCESS;
  const emulate::failure why = emulate::why_halted();
  return failed(static_cast<CUresult>(why.error), why.message);
}

} // namespace tessera::driver

using namespace tessera::driver;

extern "C" {

// Of its attributes, the one that lets a kernel start before its predecessor has ended has no
// meaning here.
CUresult cuLaunchKernelEx(const CUlaunchConfig *how, CUfunction function, void **arguments,
                          void **) {
  return launch(*how, function, arguments);
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                        unsigned threads_y, unsigned threads_z, unsigned shared_memory,
                        CUstream stream, void **arguments, void **) {
  return launch({x, y, z, threads_x, threads_y, threads_z, shared_memory, stream, nullptr, 0},
                function, arguments);
}

} // extern "C"
