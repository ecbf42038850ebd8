// Numbers with nouns.
#pragma once

#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <string>

namespace tessera {

// "1 stage", "4 stages". what: the singular.
inline std::string counted(int64_t number, llvm::StringRef what) {
  return (llvm::Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
}

// "32 KiB", "12.5 KiB", "12800 bytes"
inline std::string withUnit(int64_t bytes) {
  if (bytes % 512)
    return std::to_string(bytes) + " bytes";
  return std::to_string(bytes / 1024) + (bytes % 1024 ? ".5 KiB" : " KiB");
}

} // namespace tessera
