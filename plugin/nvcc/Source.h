// An input with tile code, as the translation reads it.
#pragma once

#include "driver/Options.h"
#include "nvcc/Architectures.h"

namespace tessera::nvcc {

// Does nvcc compile this input as CUDA C++, and does it have tile code?
bool hasTileCode(const CommandLine &line, const std::string &file, const Toolkit &toolkit);

// The command line's language options as Clang's.
Words clangArguments(const CommandLine &line);

// Does nvcc compile this input as CUDA C++?
bool isCuda(const CommandLine &line, llvm::StringRef file);

// The options for translating an input for a GPU; the output goes to the folder `home`.
driver::Options translationOptions(const CommandLine &line, const std::string &file,
                                   llvm::ArrayRef<const GpuTarget *> architectures,
                                   const Toolkit &toolkit, const std::string &home);

} // namespace tessera::nvcc
