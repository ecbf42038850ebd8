#include "frontend/Directives.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tessera::frontend {

std::vector<Directive> directivesBetween(StringRef file, size_t begin, size_t end,
                                         const LangOptions &language) {
  Lexer lexer(SourceLocation(), language, file.begin(), file.begin() + begin, file.end());
  std::vector<Directive> directives;
  bool isDirective = false;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    size_t last = lexer.getBufferLocation() - file.begin(), first = last - token.getLength();
    if (first >= end)
      break;
    if (token.isAtStartOfLine()) {
      isDirective = token.is(tok::hash);
      if (isDirective)
        directives.push_back({"", first, last});
    } else if (isDirective) {
      if (directives.back().name.empty() && token.is(tok::raw_identifier))
        directives.back().name = token.getRawIdentifier();
      directives.back().end = last;
    }
  }
  return directives;
}

std::string linesBetween(StringRef file, size_t begin, size_t end, const LangOptions &language) {
  std::string result;
  auto skip = [&](size_t to) {
    result.append(file.slice(begin, to).count('\n'), '\n');
    begin = to;
  };
  for (const Directive &directive : directivesBetween(file, begin, end, language))
    if (llvm::is_contained({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
                            "define", "undef", "line"},
                           directive.name)) {
      skip(directive.begin);
      result += file.slice(directive.begin, directive.end);
      begin = directive.end;
    }
  skip(end);
  return result;
}

} // namespace tessera::frontend
