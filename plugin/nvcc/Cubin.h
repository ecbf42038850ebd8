// The finished image of tile kernels: what it says of their launches is compared with their plans,
// and their static shared memory is given the size that they need.
//
// Compilers declare 48 KB at most; drivers go by the size of a kernel's section .nv.shared.KERNEL.
#pragma once

#include "driver/Session.h"

#include "llvm/Support/Error.h"

#include <string>

namespace tessera::nvcc {

// `declared`: the bytes that each kernel declares, if they are static. An error where the image is
// not as expected; then it is not to be used.
llvm::Error finishCubin(std::string &image, llvm::ArrayRef<driver::KernelFacts> kernels,
                        std::optional<size_t> declared);

} // namespace tessera::nvcc
