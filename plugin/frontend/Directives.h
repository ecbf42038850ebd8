// Where text has preprocessor directives: as the lexer sees it, not in comments or raw strings.
#pragma once

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tessera::frontend {

struct Directive {
  std::string name;  // "ifdef"
  std::string text;  // of the tokens behind it, a blank between two
  size_t begin, end; // from its # behind its last token
  size_t lineEnd;    // of the line that it ends on, behind comments
};

// Those between two bytes of a file, of which the first begins a token.
std::vector<Directive> directivesBetween(llvm::StringRef file, size_t begin, size_t end,
                                         const clang::LangOptions &language);

// The line ends of removed text, and its directives that must stay in balance or in force.
std::string linesBetween(llvm::StringRef file, size_t begin, size_t end,
                         const clang::LangOptions &language);

} // namespace tessera::frontend
