// Compiles the text of a translated program for GPUs: a cubin for each, by Clang and ptxas, then
// the host's code, which contains them. Clang's driver could do all of it in one run; apart, each
// compile gets the precompiled runtime of its own target.
#pragma once

#include "driver/Processes.h"
#include "driver/Translate.h"

#include "llvm/Support/ThreadPool.h"

namespace tessera::driver {

// Makes what is missing of the precompiled runtime for a build, beside the work of this thread: it
// is half of a first build. The destructor waits for it.
class GpuBuildPreparation {
public:
  explicit GpuBuildPreparation(const Options &options);

private:
  llvm::DefaultThreadPool threads;
};

// A shared library or a program; PTX if the options request it. `readsReport`: ptxas prints the
// kernels' registers. The exit status of the compiler that failed, or 0.
int buildForGpu(const Options &options, const std::string &text, const std::string &product,
                bool readsReport, const Surroundings &surroundings);

} // namespace tessera::driver
