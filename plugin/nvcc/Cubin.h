// The finished image of tile kernels: its launch constants are compared with the plans, and its
// static shared memory gets the size that the kernels need.
//
// Compilers declare at most 48 KB; drivers use the size of a kernel's section .nv.shared.KERNEL.
#pragma once

#include "driver/KernelFacts.h"

#include "llvm/Support/Error.h"

#include <string>

namespace tessera::nvcc {

// `declared`: the bytes that each kernel declares, if they are static. An error if the image is not
// as expected; it must not be used then.
llvm::Error finishCubin(std::string &image, llvm::ArrayRef<driver::KernelFacts> kernels,
                        std::optional<size_t> declared);

} // namespace tessera::nvcc
