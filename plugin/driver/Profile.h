// `tessera profile`: runs a program under Nsight Compute, and says per kernel what was measured
// beside what the plan predicts. As JSON for `tessera explain --profile`.
#pragma once

#include "driver/NcuReport.h"
#include "driver/Options.h"

#include "llvm/Support/JSON.h"

namespace tessera::driver {

// The launches of a kernel.
struct KernelProfile {
  std::string kernel; // the emitted one
  std::string name;   // for messages
  std::string gpu;    // "9.0"
  int64_t launches = 0;
  double microseconds = 0; // of a launch, in the mean
  std::vector<UnitShare> shares;

  // The unit that is busy most of the time, as a sentence.
  std::string limit() const;
  // "profile: 12.3 us in the mean of 3 launches; tensor core 91 % (plan: 100 %), ..."
  std::string sentence() const;
  llvm::json::Value data() const;
};

// The exit status of the tool.
int profile(Options options);

// The kernels of a file that `tessera profile -o` has written; nothing after a message.
std::optional<std::vector<KernelProfile>> readProfile(const std::string &file);

} // namespace tessera::driver
