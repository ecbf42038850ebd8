// Text between double quotes, as C reads it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

inline std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text)
    if (c == '\n')
      result += "\\n";
    else
      (result += c == '"' || c == '\\' ? "\\" : "") += c;
  return result + "\"";
}

} // namespace tessera
