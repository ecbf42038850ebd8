// What ptxas says of kernels, where it is asked to (-v).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <utility>

namespace tessera::driver {

struct RegisterUse {
  unsigned registers = 0;
  unsigned spilled = 0;      // bytes of a thread, written and read
  bool isSerialised = false; // asynchronous multiplies wait for one another
};

// By the kernel's name and the GPU's: {"matmul_128_float", "sm_90a"}.
using PtxasReport = std::map<std::pair<std::string, std::string>, RegisterUse>;

PtxasReport readPtxasReport(llvm::StringRef report);

// The name by which a report has a kernel: of an emitted one the name in the text, without what
// all of these end in; of others the symbol.
std::string reportedName(llvm::StringRef symbol);

// A report without what -v adds.
std::string withoutUse(llvm::StringRef report);

} // namespace tessera::driver
