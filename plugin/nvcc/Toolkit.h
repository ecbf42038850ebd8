// NVIDIA's nvcc, which compiles the translation.
#pragma once

#include "driver/Processes.h"

#include <string>

namespace tessera::nvcc {

struct Toolkit {
  std::string compiler; // nvcc; empty: there is none
  std::string folder;   // with include/cuda_runtime.h; empty: there is none
};

// The first of: TESSERA_NVCC, CUDA_HOME and CUDA_PATH, each folder of PATH, the toolkits that the
// tool tessera finds. Never this program itself under another name.
Toolkit findToolkit();

// Replaces this process by that program; returns, after a message, if it cannot.
int become(const driver::Words &words);

} // namespace tessera::nvcc
