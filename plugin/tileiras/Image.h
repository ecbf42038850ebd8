// From emitted kernels to their text, and from that to a cubin.
#pragma once

#include "emit/EmittedKernel.h"
#include "tileiras/Options.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera::tileiras {

// The file that NVIDIA's compiler gets, and Clang for the emulator (Library.h): beside each kernel
// is a constant with its threads and its shared memory.
std::string textOf(const std::vector<EmittedKernel> &kernels, const Options &options);

// A compiler does not take the generated code.
llvm::Error refusal(llvm::StringRef compiler, const llvm::Twine &said);

// What precedes the kernels of every file, and the headers of their elements.
std::string includesOf(const Options &options);

// By NVRTC, or else by nvcc, as the toolkit has them. What they print is a part of the error.
llvm::Expected<std::string> makeCubin(const std::string &text,
                                      const std::vector<EmittedKernel> &kernels,
                                      const Options &options);

} // namespace tessera::tileiras
