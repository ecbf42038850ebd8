// A program on the disk or in memory, from its options to the requested outputs.
#pragma once

#include "driver/Crashes.h"
#include "driver/Options.h"
#include "driver/PlanAgain.h"

namespace tessera::driver {

// The result of a translation.
struct Outcome {
  enum : int { refused = 1, unusable = 2, crashed = driver::crashed };

  // 0; `refused`: the program; `unusable`: the command line or the machine; `crashed`: tessera's
  // own fault. The messages are printed.
  int status = 0;
  std::vector<std::string> texts;     // one for each of the options' outputs
  std::vector<KernelFacts> kernels;   // of the first architecture
  std::vector<PlannedKernel> planned; // of the last output and all architectures
  std::vector<std::string> files;     // that were read, if the options request them
  std::vector<Portion> portions;      // if they are explained
  std::string signature;              // of the kernel requested from check
};

// With as much precompiled as has no effect on the result. Narrows the options' architectures to
// one if no output is for a GPU.
Outcome translate(Options &options, llvm::raw_ostream &messages);

} // namespace tessera::driver
