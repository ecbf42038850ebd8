// ptxas's report about kernels, with -v.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <utility>

namespace tessera::driver {

struct RegisterUse {
  unsigned registers = 0;
  unsigned spilled = 0;      // bytes of a thread, stores and loads
  bool isSerialised = false; // asynchronous multiplies are serialised
};

// By the kernel's name and the GPU's: {"matmul_128_float", "sm_90a"}.
using PtxasReport = std::map<std::pair<std::string, std::string>, RegisterUse>;

PtxasReport readPtxasReport(llvm::StringRef report);

// The name of a kernel in a report: for a generated one its name in the code, without the common
// suffix; for others the symbol.
std::string reportedName(llvm::StringRef symbol);

// A report without the output of -v.
std::string withoutUse(llvm::StringRef report);

} // namespace tessera::driver
