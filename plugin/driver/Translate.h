// A program on the disk or in memory, from its options to the texts that are wanted of it.
#pragma once

#include "driver/Options.h"
#include "driver/PlanAgain.h"

namespace tessera::driver {

// What became of a translation.
struct Outcome {
  enum : int { refused = 1, unusable = 2, crashed = 70 };

  // 0; `refused` is the program, `unusable` the command line or the machine, and where tessera
  // `crashed` it is its own fault: the messages are out.
  int status = 0;
  std::vector<std::string> texts;     // one for each of the options' texts
  std::vector<KernelFacts> kernels;   // of the first architecture
  std::vector<PlannedKernel> planned; // of the last text and all architectures
  std::vector<std::string> files;     // that were read, where the options ask for them
  std::vector<Portion> portions;      // where they are explained
  std::string signature;              // of the kernel that check was asked for
};

// With as much precompiled as changes nothing. The options' architectures are narrowed to one where
// no text is for a GPU.
Outcome translate(Options &options, llvm::raw_ostream &messages);

} // namespace tessera::driver
