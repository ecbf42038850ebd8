// Raw tokens of all files. Aliases of the namespace, and `using namespace` of its literals, are no
// uses by themselves; any other use of the namespace's name or of an alias is.
#include "frontend/edit/TileNames.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tessera::frontend {
namespace {

struct Word {
  tok::TokenKind kind = tok::eof;
  StringRef name; // of an identifier
};

class Words {
public:
  Words(const ProgramText &text, const LangOptions &language,
        llvm::function_ref<bool(StringRef)> wasRead) {
    StringRef buffer = text.contents;
    Lexer lexer(SourceLocation(), language, buffer.begin(), buffer.begin(), buffer.end());
    bool isDirective = false, isInclude = false;
    for (Token token; !lexer.LexFromRawLexer(token);) {
      Word word{token.getKind(), {}};
      StringRef spelling(lexer.getBufferLocation() - token.getLength(), token.getLength());
      if (token.is(tok::raw_identifier))
        word.name = spelling;
      bool isUnread =
          isInclude &&
          !wasRead(includedBy(buffer.substr(size_t(spelling.begin() - buffer.begin()))));
      if (text.isUsers && (isDoubtful(token, spelling) || isUnread))
        areDoubtful = true;
      isInclude = isDirective && (word.name == "include" || word.name == "include_next");
      isDirective = token.is(tok::hash) && token.isAtStartOfLine();
      words.push_back(word);
    }
  }

  Word operator[](size_t i) const { return i < words.size() ? words[i] : Word(); }
  size_t size() const { return words.size(); }

  bool areDoubtful = false;

private:
  // Pasted names, or names with odd spellings; the literal operator of the header.
  static bool isDoubtful(const Token &token, StringRef spelling) {
    return token.is(tok::hashhash) ||
           (token.is(tok::raw_identifier) && (token.needsCleaning() || token.hasUCN())) ||
           (token.is(tok::numeric_constant) && spelling.ends_with("_ic"));
  }

  // The name in `#include "folder/name.h"`, from the characters after the word, possibly on another
  // line; empty for a macro's name.
  static StringRef includedBy(StringRef rest) {
    bool isQuoted = rest.consume_front("\"");
    if (!isQuoted && !rest.consume_front("<"))
      return {};
    return rest.take_until([&](char c) { return c == (isQuoted ? '"' : '>') || c == '\n'; });
  }

  std::vector<Word> words;
};

class NamespaceUses {
public:
  explicit NamespaceUses(const std::vector<Words> &texts) : texts(texts) {
    for (size_t known = 0; known != names.size();) {
      known = names.size();
      for (const Words &words : texts)
        for (size_t i = 0; i < words.size(); ++i)
          if (words[i].name == "namespace" && words[i + 2].kind == tok::equal && pathEnd(words, i))
            names.insert(words[i + 1].name);
    }
  }

  bool nameSomething() const {
    for (const Words &words : texts)
      for (size_t i = 0; i < words.size(); ++i)
        if (size_t end = pathEnd(words, i))
          i = end;
        else if (names.contains(words[i].name))
          return true;
    return false;
  }

private:
  // The end of a plain `namespace alias = PATH;` or `using namespace PATH;`; 0 if there is none.
  // `i` is the location of `namespace`.
  size_t pathEnd(const Words &words, size_t i) const {
    if (words[i].name != "namespace")
      return 0;
    bool isAlias = words[i + 2].kind == tok::equal;
    bool isUsing = i > 0 && words[i - 1].name == "using";
    if (isAlias == isUsing)
      return 0;
    i += isAlias ? 3 : 1;
    i += words[i].kind == tok::coloncolon;
    if (words[i].name == "cuda" && words[i + 1].kind == tok::coloncolon)
      i += 2;
    if (!names.contains(words[i++].name))
      return 0;
    bool isLiterals = words[i].kind == tok::coloncolon && words[i + 1].name == "literals";
    i += isLiterals ? 2 : 0;
    return words[i].kind == tok::semi && (isAlias || isLiterals) ? i : 0;
  }

  const std::vector<Words> &texts;
  llvm::StringSet<> names = {"tiles"}; // and its aliases
};

} // namespace

bool namesTileHeader(const std::vector<ProgramText> &texts, const LangOptions &language,
                     llvm::function_ref<bool(StringRef)> wasRead) {
  std::vector<Words> words;
  for (const ProgramText &text : texts)
    if (text.isUsers || text.contents.contains("tiles"))
      if (words.emplace_back(text, language, wasRead).areDoubtful)
        return true;
  return NamespaceUses(words).nameSomething();
}

} // namespace tessera::frontend
