// The preprocessor keeps the last pragma's location as that of a macro whose name no program can
// spell: every parse has its own location, and a precompiled header may have one, too.
#include "frontend/parse/UncheckedSpaces.h"

#include "frontend/parse/RawNames.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace tessera::frontend {
namespace {

IdentifierInfo *keptName(Preprocessor &preprocessor) {
  return preprocessor.getIdentifierInfo("#pragma nv_exec_check_disable");
}

struct UncheckedPragma : PragmaHandler {
  UncheckedPragma() : PragmaHandler("nv_exec_check_disable") {}
  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer, Token &) override {
    MacroInfo *location = preprocessor.AllocateMacroInfo(introducer.Loc);
    preprocessor.appendDefMacroDirective(keptName(preprocessor), location);
  }
};

PragmaHandlerRegistry::Add<UncheckedPragma>
    uncheckedPragma("nv_exec_check_disable", "calls of the next function are not checked");

// Is a brace after these tokens (the last one first) that of a requires-expression?
bool isRequirement(ArrayRef<Token> before) {
  unsigned depth = 0;
  for (const Token &token : llvm::reverse(before)) {
    depth += token.is(tok::r_paren);
    if (depth == 0)
      return nameOf(token) == "requires";
    depth -= token.is(tok::l_paren);
  }
  return false;
}

} // namespace

bool followsUncheckedPragma(Preprocessor &preprocessor, SourceLocation name) {
  const MacroInfo *kept = preprocessor.getMacroInfo(keptName(preprocessor));
  if (!kept)
    return false;
  const SourceManager &sources = preprocessor.getSourceManager();
  SourceLocation begin = sources.getExpansionLoc(kept->getDefinitionLoc());
  SourceLocation end = sources.getExpansionLoc(name);
  if (sources.getFileID(begin) != sources.getFileID(end))
    return false;
  // In between, no other declaration ends, and no body or class begins.
  StringRef buffer = sources.getBufferData(sources.getFileID(begin));
  Lexer lexer(sources.getLocForStartOfFile(sources.getFileID(begin)), preprocessor.getLangOpts(),
              buffer.begin(), buffer.begin() + sources.getFileOffset(begin), buffer.end());
  SmallVector<Token> before;
  unsigned depth = 0;
  for (Token token; !lexer.LexFromRawLexer(token) && token.getLocation() < end;) {
    if (token.is(tok::l_brace)) {
      if (depth == 0 && !isRequirement(before))
        return false;
      ++depth;
    } else if (depth != 0) {
      depth -= token.is(tok::r_brace);
    } else if (token.isOneOf(tok::semi, tok::r_brace)) {
      return false;
    } else {
      before.push_back(token);
    }
  }
  return true;
}

} // namespace tessera::frontend
