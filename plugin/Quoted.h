// Text in double quotes, as C reads it, and text in a line comment.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

inline std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text)
    if (c == '\n' || c == '\r')
      result += c == '\n' ? "\\n" : "\\r";
    else
      (result += c == '"' || c == '\\' ? "\\" : "") += c;
  return result + "\"";
}

// A name may contain line ends, and a backslash in front of one would continue the comment.
inline std::string inLineComment(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\n' || c == '\r' || c == '\0' ? '?' : c;
  return result + (text.ends_with("\\") ? "." : "");
}

} // namespace tessera
