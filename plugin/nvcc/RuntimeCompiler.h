// NVIDIA's NVRTC: its compiler of device code as a library. Neither nvcc nor a host compiler takes
// part, and the parse of CUDA's host headers falls away, which is most of nvcc's time for a kernel.
#pragma once

#include "nvcc/Toolkit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tessera::nvcc {

struct RuntimeCompilerCalls; // its functions

class RuntimeCompiler {
public:
  // The first of: TESSERA_NVRTC (empty: none), the toolkit's, the loader's, those of the Python
  // environments in PATH. Nothing if TESSERA_NVCC chooses nvcc, or if there is no NVRTC 13 or newer
  // with CUDA's headers. A library that TESSERA_NVRTC names and that cannot be used is an error.
  static llvm::Expected<std::optional<RuntimeCompiler>> find(const Toolkit &toolkit);

  // "sm_90a" and "sm_90" are architectures of one number.
  bool knowsArchitecture(unsigned number) const;

  // A cubin of `text`, device code whose runtime is found in `includes`. The error has what NVRTC
  // prints.
  llvm::Expected<std::string> makeCubin(const std::string &text, llvm::StringRef architecture,
                                        llvm::ArrayRef<std::string> options) const;

private:
  RuntimeCompiler(const RuntimeCompilerCalls &calls, std::string headers)
      : calls(&calls), headers(std::move(headers)) {}
  static llvm::Expected<RuntimeCompiler> open(const std::string &library, const Toolkit &toolkit);

  const RuntimeCompilerCalls *calls;
  std::string headers; // the folder of cuda_fp16.h
};

} // namespace tessera::nvcc
