// Raw lexing: macros are not expanded, and directives are tokens like others.
#include "frontend/edit/FileTokens.h"

#include "frontend/parse/RawNames.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tessera::frontend {

std::vector<Token> tokensOf(FileID file, const SourceManager &sources, const LangOptions &options) {
  Lexer lexer(file, sources.getBufferOrFake(file), sources, options);
  std::vector<Token> tokens;
  Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token))
    tokens.push_back(token);
  return tokens;
}

std::pair<Tokens, Tokens> splitAt(Tokens tokens, SourceLocation location) {
  size_t before = llvm::partition_point(tokens,
                                        [&](const Token &token) {
                                          return token.getLocation().getRawEncoding() <
                                                 location.getRawEncoding();
                                        }) -
                  tokens.begin();
  return {tokens.take_front(before), tokens.drop_front(before)};
}

bool opens(const Token &token) { return token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square); }
bool closes(const Token &token) { return token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square); }

bool isWord(const Token &token, StringRef word) { return nameOf(token) == word; }

} // namespace tessera::frontend
