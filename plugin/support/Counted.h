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

} // namespace tessera
