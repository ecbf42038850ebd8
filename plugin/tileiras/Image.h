// From emitted kernels to their text, and to a cubin.
#pragma once

#include "emit/EmittedKernel.h"
#include "tileiras/Options.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera::tileiras {

// The file that NVIDIA's compiler gets. The emulator runs its kernels, too: beside each is a
// constant with its threads and its shared memory.
std::string textOf(const std::vector<EmittedKernel> &kernels);

// By NVRTC, or else by nvcc, as the toolkit has them. What they print is a part of the error.
llvm::Expected<std::string> makeCubin(const std::string &text,
                                      const std::vector<EmittedKernel> &kernels,
                                      const Options &options);

} // namespace tessera::tileiras
