// What the parts of the emulator's driver share. Its one device is described like an sm_90; every
// call completes its work, so streams and events are only handles.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include <string>

namespace tessera::driver {

inline constexpr int cuda_version = 13000; // which cuTile Python asks for at least

// The only context.
CUcontext the_context();

// A kernel of a loaded image, behind CUkernel and CUfunction alike.
struct kernel {
  bool (*launch)(unsigned x, unsigned y, unsigned z, void **arguments);
  const unsigned *facts;      // threads, bytes of shared memory
  const unsigned *parameters; // their sizes, then 0
};
inline const kernel &kernel_of(CUfunction function) {
  return *reinterpret_cast<const kernel *>(function);
}

CUresult launch(const CUlaunchConfig &how, CUfunction function, void **arguments);

// The runtime's errors have the driver's numbers.
inline CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }

// Prints "tessera: ..." to standard error.
void say(const std::string &message);

// The error, with a text of its own for cuGetErrorString.
CUresult failed(CUresult error, const std::string &message);

// A function for a name that is not in functions.def.
void *missing_function(const std::string &name);

} // namespace tessera::driver
