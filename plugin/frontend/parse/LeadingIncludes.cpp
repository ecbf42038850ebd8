// A raw lexer reads directives up to the first other token. A file of the program is recognized by
// its guard, #ifndef and #define of one name or #pragma once.
#include "frontend/parse/LeadingIncludes.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tessera::frontend {
namespace {

bool isLeadingHeader(StringRef name) {
  static constexpr StringRef rows[] = {
#define LEADING(header) header,
#include "frontend/parse/LeadingHeaders.def"
  };
  return llvm::is_contained(rows, name);
}

// A directive: its name and the spelling of its tokens, without surrounding comments.
struct Directive {
  std::string name, text;
};

// The directives of a file, up to its first token of another kind.
class DirectiveReader {
public:
  explicit DirectiveReader(StringRef text, const LangOptions &options)
      : lexer(SourceLocation(), options, text.begin(), text.begin(), text.end()) {
    next();
  }

  bool isAtEnd() const { return token.is(tok::eof); }
  bool isAtDirective() const { return token.is(tok::hash) && token.isAtStartOfLine(); }

  // Nothing if there is no directive here.
  std::optional<Directive> read() {
    if (!isAtDirective())
      return std::nullopt;
    next();
    if (token.isNot(tok::raw_identifier) || token.isAtStartOfLine() || token.needsCleaning())
      return std::nullopt;
    Directive directive{token.getRawIdentifier().str(), {}};
    next();
    const char *begin = start(), *end = begin;
    for (; !isAtEnd() && !token.isAtStartOfLine(); next()) {
      if (token.needsCleaning())
        return std::nullopt;
      end = start() + token.getLength();
    }
    directive.text = std::string(begin, end);
    return directive;
  }

  // The name that `namespace NAME = cuda::tiles;` declares. Nothing if there is no such alias here.
  std::optional<std::string> readTileAlias() {
    std::string words[7];
    for (std::string &word : words) {
      if (isAtEnd() || isAtDirective() || token.needsCleaning())
        return std::nullopt;
      word = std::string(start(), token.getLength());
      next();
    }
    auto [space, name, equals, cuda, colons, tiles, semicolon] = words;
    bool isAlias = space == "namespace" && equals == "=" && cuda == "cuda" && colons == "::" &&
                   tiles == "tiles" && semicolon == ";";
    return isAlias ? std::optional(name) : std::nullopt;
  }

private:
  void next() { lexer.LexFromRawLexer(token); }
  const char *start() const { return lexer.getBufferLocation() - token.getLength(); }

  Lexer lexer;
  Token token;
};

class Search {
public:
  explicit Search(const CompilerInvocation &invocation) : invocation(invocation) {
    for (const auto &[definition, isUndefine] : invocation.getPreprocessorOpts().Macros)
      commandLine.insert(nameOfMacro(definition).str());
  }

  LeadingIncludes found;

  // False: the leading includes end in this file.
  bool readFile(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer || !files.insert(path).second)
      return false;
    DirectiveReader reader((*buffer)->getBuffer(), invocation.getLangOpts());
    unsigned guards = 0;
    while (!reader.isAtEnd()) {
      if (reader.isAtDirective()) {
        std::optional<Directive> directive = reader.read();
        if (!directive || !accept(*directive, reader, path, guards))
          return false;
        continue;
      }
      // Nearly every program has it, some between their headers: these must not use the name.
      std::optional<std::string> alias = reader.readTileAlias();
      if (!alias || !llvm::is_contained(found.headers, "cuda_tile.h"))
        return false;
      names.insert(*alias);
    }
    return !guards;
  }

private:
  bool accept(const Directive &directive, DirectiveReader &reader, const std::string &path,
              unsigned &guards) {
    if (directive.name == "include")
      return include(directive.text, path);
    if (directive.name == "define" || directive.name == "undef") {
      names.insert(nameOfMacro(directive.text).str());
      return true;
    }
    if (directive.name == "ifndef") {
      std::optional<Directive> definition = reader.read();
      ++guards;
      return definition && definition->name == "define" &&
             nameOfMacro(definition->text) == directive.text &&
             !commandLine.count(directive.text) && names.insert(directive.text).second;
    }
    if (directive.name == "endif")
      return guards-- > 0;
    if (directive.name == "line")
      return true;
    return directive.name == "pragma" && directive.text == "once";
  }

  bool include(StringRef written, const std::string &includer) {
    bool isQuoted = written.starts_with("\"") && written.ends_with("\"");
    bool isAngled = written.starts_with("<") && written.ends_with(">");
    if (written.size() < 3 || (!isQuoted && !isAngled))
      return false;
    std::string name = written.drop_front().drop_back().str();
    SmallString<128> neighbour;
    if (!llvm::sys::path::is_absolute(name)) // which programs of Python are included by
      neighbour = llvm::sys::path::parent_path(includer);
    llvm::sys::path::append(neighbour, name);
    if (isQuoted && llvm::sys::fs::exists(neighbour))
      return readFile(neighbour.str().str());
    for (const HeaderSearchOptions::Entry &folder : invocation.getHeaderSearchOpts().UserEntries)
      if (isUserFolder(folder) && (isQuoted || folder.Group == clang::frontend::Angled)) {
        std::string candidate = folder.Path + "/" + name;
        if (llvm::sys::fs::exists(candidate))
          return readFile(candidate);
      }
    if (!isLeadingHeader(name))
      return false;
    if (!llvm::is_contained(found.headers, name))
      found.headers.push_back(name);
    found.names = names;
    return true;
  }

  const CompilerInvocation &invocation;
  std::set<std::string> commandLine, names, files;
};

} // namespace

LeadingIncludes findLeadingIncludes(const CompilerInvocation &invocation) {
  Search search(invocation);
  ArrayRef<FrontendInputFile> inputs = invocation.getFrontendOpts().Inputs;
  if (inputs.size() == 1 && inputs.front().isFile())
    (void)search.readFile(inputs.front().getFile().str());
  return std::move(search.found);
}

bool isUserFolder(const HeaderSearchOptions::Entry &entry) {
  return entry.Group == clang::frontend::Angled || entry.Group == clang::frontend::Quoted;
}

StringRef nameOfMacro(StringRef definition) {
  return definition.take_while([](char c) { return clang::isAsciiIdentifierContinue(c, true); });
}

} // namespace tessera::frontend
