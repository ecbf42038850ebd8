// What a compiler for GPUs gives each thread of a kernel; only where there is one: none is needed.
#pragma once

#include "driver/Options.h"

#include <map>
#include <string>

namespace tessera::driver {

struct RegisterUse {
  unsigned registers = 0;
  unsigned spilled = 0; // bytes of a thread, written and read
};

struct Measured {
  std::string compiler; // "nvcc", "Clang and ptxas"; empty: none has compiled the text
  // By the name of the kernel in the text and of the GPU: {"matmul_128_float", "sm_90a"}.
  std::map<std::pair<std::string, std::string>, RegisterUse> uses;
};

// Compiles the text for each of its architectures, with the toolkit's nvcc, or with Clang where the
// toolkit has ptxas alone. What does not compile is not measured.
Measured measureRegisters(const std::string &text, const Options &options);

} // namespace tessera::driver
