#include "frontend/parse/RawNames.h"

using namespace clang;

namespace tessera::frontend {

std::string joinedLines(StringRef text) {
  std::string joined;
  while (!text.empty()) {
    StringRef rest = text;
    if (rest.consume_front("\\") && (rest = rest.ltrim(" \t\v\f\r")).consume_front("\n")) {
      text = rest;
      continue;
    }
    joined += text.front();
    text = text.drop_front();
  }
  return joined;
}

std::string nameOf(const Token &token) {
  return token.is(tok::raw_identifier) ? joinedLines(token.getRawIdentifier()) : std::string();
}

} // namespace tessera::frontend
