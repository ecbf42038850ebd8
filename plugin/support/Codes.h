// The codes of messages to users: an error of the row ScalarNarrows of the section
// general_principles ends with [tile:general_principles/scalar-narrows].
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

// "ScalarNarrows" -> "scalar-narrows"
inline std::string codeOf(llvm::StringRef row) {
  std::string code;
  for (char c : row) {
    if (llvm::isUpper(c) && !code.empty())
      code += '-';
    code += llvm::toLower(c);
  }
  return code;
}

// The suffix of a message.
inline std::string tagOf(llvm::StringRef section, llvm::StringRef row) {
  return (" [tile:" + section + "/" + codeOf(row) + "]").str();
}

} // namespace tessera
