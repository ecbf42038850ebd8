#include "frontend/edit/Directives.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tessera::frontend {

namespace {

// Without backslash-newlines.
std::string unspliced(StringRef text) {
  std::string result;
  while (!text.empty()) {
    StringRef rest = text.drop_front();
    size_t blanks = rest.size() - rest.ltrim(" \t").size();
    rest = rest.drop_front(blanks);
    if (text.front() == '\\' && (rest.consume_front("\r\n") || rest.consume_front("\n"))) {
      text = rest;
      continue;
    }
    result += text.front();
    text = text.drop_front();
  }
  return result;
}

} // namespace

// Comments are kept, since a multi-line one belongs to the line on which it starts, and a token
// after it still counts as the first on its line.
std::vector<Directive> directivesBetween(StringRef file, size_t begin, size_t end,
                                         const LangOptions &language) {
  Lexer lexer(SourceLocation(), language, file.begin(), file.begin() + begin, file.end());
  lexer.SetCommentRetentionState(true);
  std::vector<Directive> directives;
  bool isDirective = false, isAtStart = false;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    size_t last = lexer.getBufferLocation() - file.begin(), first = last - token.getLength();
    if (first >= end)
      break;
    isAtStart |= token.isAtStartOfLine();
    if (isAtStart) {
      isDirective = token.is(tok::hash);
      if (isDirective)
        directives.push_back({"", "", first, last, last});
    } else if (isDirective) {
      Directive &directive = directives.back();
      directive.lineEnd = last;
      if (token.isNot(tok::comment)) {
        std::string spelling = unspliced(file.slice(first, last));
        directive.end = last;
        if (directive.name.empty())
          directive.name = spelling;
        else
          directive.text += (directive.text.empty() ? "" : " ") + spelling;
      }
    }
    isAtStart &= token.is(tok::comment);
  }
  for (Directive &directive : directives)
    directive.lineEnd = std::min(file.find_first_of("\r\n", directive.lineEnd), file.size());
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
