// The preprocessor directives of a file as the lexer sees them, not in comments or raw strings.
#pragma once

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tessera::frontend {

struct Directive {
  std::string name;  // "ifdef"
  std::string text;  // of the tokens after it, separated by a space
  size_t begin, end; // from its # to the end of its last token
  size_t lineEnd;    // of the line on which it ends, after comments
};

// The directives between two bytes of a file; the first byte starts a token.
std::vector<Directive> directivesBetween(llvm::StringRef file, size_t begin, size_t end,
                                         const clang::LangOptions &language);

// The line ends of removed code, and its directives that must stay for balance or effect.
std::string linesBetween(llvm::StringRef file, size_t begin, size_t end,
                         const clang::LangOptions &language);

} // namespace tessera::frontend
