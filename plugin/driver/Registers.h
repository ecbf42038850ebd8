// What a compiler for GPUs gives each thread of a kernel; only where there is one: none is needed.
#pragma once

#include "driver/Options.h"
#include "driver/PtxasReport.h"

namespace tessera::driver {

struct Measured {
  std::string compiler; // "nvcc", "Clang and ptxas"; empty: none has compiled the text
  PtxasReport uses;
};

// Compiles the text for each of its architectures, with the toolkit's nvcc, or with Clang where the
// toolkit has ptxas alone. What does not compile is not measured.
Measured measureRegisters(const std::string &text, const Options &options);

} // namespace tessera::driver
