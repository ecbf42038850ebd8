#include "frontend/parse/RawNames.h"

#include "clang/Lex/LiteralSupport.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace tessera::frontend {

std::string joinedLines(StringRef text) {
  std::string joined;
  while (!text.empty()) {
    const bool isSplice =
        text.front() == '\\' && text.drop_front().ltrim(" \t\v\f\r").starts_with("\n");
    if (isSplice) {
      text = text.drop_front(text.find('\n') + 1);
      continue;
    }
    joined += text.front();
    text = text.drop_front();
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
