// The options that every entry point takes, CommonOptions.def. An entry point reads its own form of
// them: a word of a command line, an argument of the plugin.
#pragma once

#include "driver/Session.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera::driver {

struct CommonOption {
  llvm::StringLiteral name;
  llvm::StringLiteral value;       // for help: what it takes; empty for a flag
  llvm::StringLiteral doesForNvcc; // for the help of tessera-nvcc
  // Sets what the value asks for; false, and an error in `message`, for a wrong value.
  bool (*set)(llvm::StringRef value, Settings &settings, std::string &message);

  bool takesValue() const { return !value.empty(); }
};

llvm::ArrayRef<CommonOption> commonOptions();

// The row for "check=bounds" or "check"; null if there is none.
const CommonOption *findCommonOption(llvm::StringRef word);

} // namespace tessera::driver
