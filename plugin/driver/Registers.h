// The registers of each thread of a kernel, from a GPU compiler if there is one; none is required.
#pragma once

#include "driver/Options.h"
#include "driver/PtxasReport.h"

namespace tessera::driver {

struct Measured {
  std::string compiler; // "nvcc", "Clang and ptxas"; empty: none has compiled the code
  PtxasReport uses;
};

// Compiles the code for each of its architectures, with the toolkit's nvcc, or with Clang if the
// toolkit has only ptxas. Code that does not compile is not measured.
Measured measureRegisters(const std::string &text, const Options &options);

} // namespace tessera::driver
