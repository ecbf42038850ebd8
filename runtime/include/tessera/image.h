// Launches of tile kernels from images that the host has loaded (cubins, fatbins, PTX), by CUDA's
// driver API. For host code; needs only <cuda.h>.
//
// An image for sm_90 or newer that tessera-nvcc made with nvcc 13 needs only cuLaunchKernel with
// block (1, 1, 1). Other images give threads and shared memory in a constant; launch() handles
// both.
#pragma once

#include "macros_begin.h"

#include <cuda.h>

#include <string>

namespace tessera::image {

// A kernel of a loaded module with its launch parameters.
struct kernel {
  CUfunction function = nullptr;
  unsigned threads = 1;       // along x
  unsigned shared_memory = 0; // dynamic, bytes
};

// The tile kernel of this (mangled) name; `found` is written if the result is CUDA_SUCCESS. An
// image of another compiler has no constant: its kernels are launched with one thread. The module's
// context is current.
inline CUresult find(CUmodule module, const char *name, kernel &found) {
  kernel k;
  if (CUresult error = cuModuleGetFunction(&k.function, module, name))
    return error;
  CUdeviceptr constant = 0;
  size_t size = 0;
  unsigned launch[2] = {1, 0};
  CUresult error =
      cuModuleGetGlobal(&constant, &size, module, (std::string(name) + "_tessera").c_str());
  if (error == CUDA_SUCCESS)
    error = size == sizeof launch ? cuMemcpyDtoH(launch, constant, size) : CUDA_ERROR_INVALID_IMAGE;
  else if (error == CUDA_ERROR_NOT_FOUND)
    error = CUDA_SUCCESS;
  k.threads = launch[0], k.shared_memory = launch[1];
  constexpr unsigned without_asking = 48 << 10;
  if (error == CUDA_SUCCESS && k.shared_memory > without_asking)
    error = cuFuncSetAttribute(k.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               static_cast<int>(k.shared_memory));
  if (error == CUDA_SUCCESS)
    found = k;
  return error;
}

// Launches a grid of tile blocks; `arguments` holds addresses, as for cuLaunchKernel.
inline CUresult launch(const kernel &k, unsigned x, unsigned y, unsigned z, CUstream stream,
                       void **arguments) {
  return cuLaunchKernel(k.function, x, y, z, k.threads, 1, 1, k.shared_memory, stream, arguments,
                        nullptr);
}

} // namespace tessera::image

#include "macros_end.h"
