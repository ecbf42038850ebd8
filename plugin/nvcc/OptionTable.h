// The options of nvcc by name: NvccOptions.td as LLVM's option library reads it.
#pragma once

#include "nvcc/CommandLine.h"

namespace tessera::nvcc {

// The option at the beginning of the words, which starts with a dash: its kind, its value, and its
// words. Nothing if its value is missing.
std::optional<Option> matchOption(llvm::ArrayRef<std::string> words);

} // namespace tessera::nvcc
