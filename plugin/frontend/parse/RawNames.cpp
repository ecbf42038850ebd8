#include "frontend/parse/RawNames.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace tessera::frontend {

std::string joinedLines(StringRef text) {
  std::string joined;
  while (!text.empty()) {
    const unsigned newline =
        text.front() == '\\' ? Lexer::getEscapedNewLineSize(text.data() + 1) : 0;
    if (!newline)
      joined += text.front();
    text = text.drop_front(1 + newline);
  }
  return joined;
}

std::string nameOf(const Token &token) {
  if (token.isNot(tok::raw_identifier))
    return {};
  std::string name = joinedLines(token.getRawIdentifier());
  if (!token.hasUCN())
    return name;
  llvm::SmallString<32> expanded;
  expandUCNs(expanded, name);
  return expanded.str().str();
}

} // namespace tessera::frontend
