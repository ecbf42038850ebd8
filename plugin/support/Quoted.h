// Text in double quotes, as C++ reads it, and text in a line comment.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tessera {

// Letters of UTF-8 stay as they are, for readers; write_escaped gets the text between them, since
// it prints the bytes of a letter as octal numbers.
inline std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  llvm::raw_string_ostream out(result);
  const bool isUTF8 = llvm::json::isUTF8(text);
  auto isEscaped = [isUTF8](char c) { return llvm::isASCII(c) || !isUTF8; };
  while (!text.empty()) {
    llvm::StringRef escaped = text.take_while(isEscaped);
    out.write_escaped(escaped);
    text = text.drop_front(escaped.size());
    llvm::StringRef letters = text.take_until(isEscaped);
    out << letters;
    text = text.drop_front(letters.size());
  }
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
