// From the text of kernels to a library of this machine, which runs them on its CPU or by the
// emulator. A program that loads images gets it in the place of a cubin, with the emulator's
// libcuda.so.1 (runtime/src/driver) in the place of NVIDIA's.
#pragma once

#include "CompileRaised.h"
#include "tileiras/Options.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera::tileiras {

// By Clang. What it says is a part of the error.
llvm::Expected<std::string> makeLibrary(const std::string &text,
                                        const std::vector<EmittedKernel> &kernels,
                                        const KernelNames &names, const Options &options);

} // namespace tessera::tileiras
