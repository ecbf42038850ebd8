// The text of a hint is read token by token. Values are constant expressions; what they are made of
// is looked up where the attribute stands.
#include "frontend/Hints.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr llvm::StringLiteral HintName = "cutile::hint";

using Tokens = SmallVector<Token, 8>;

// What stands between the parentheses behind the attribute's name, split at its commas; no part
// where there are no parentheses.
SmallVector<Tokens, 4> partsBehind(SourceLocation nameEnd, const SourceManager &sources,
                                   const LangOptions &options) {
  SourceLocation start =
      Lexer::getLocForEndOfToken(sources.getSpellingLoc(nameEnd), 0, sources, options);
  if (start.isInvalid())
    return {};
  auto [file, offset] = sources.getDecomposedLoc(start);
  StringRef buffer = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), options, buffer.begin(), buffer.begin() + offset,
              buffer.end());
  Token token;
  lexer.LexFromRawLexer(token);
  if (token.isNot(tok::l_paren))
    return {};
  SmallVector<Tokens, 4> parts(1);
  int depth = 0, angles = 0; // commas of calls and of template arguments split nothing
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
    if (token.is(tok::r_paren) && depth == 0)
      break;
    depth += token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square);
    depth -= token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square);
    angles += token.is(tok::less);
    angles -= token.is(tok::greater);
    if (token.is(tok::comma) && depth == 0 && angles <= 0) {
      parts.emplace_back();
      angles = 0;
    } else {
      parts.back().push_back(token);
    }
  }
  return parts;
}

// A variable whose value is known at run time only.
bool isRunTimeVariable(Sema &sema, const Token &token) {
  LookupResult found(sema, &sema.Context.Idents.get(token.getRawIdentifier()), token.getLocation(),
                     Sema::LookupOrdinaryName);
  found.suppressDiagnostics();
  if (!sema.LookupName(found, sema.getCurScope()) || !found.isSingleResult())
    return false;
  auto *variable = dyn_cast<VarDecl>(found.getFoundDecl());
  if (!variable || variable->getType()->isDependentType() ||
      (variable->hasInit() && variable->getInit()->isValueDependent()))
    return false;
  return !variable->isUsableInConstantExpressions(sema.Context);
}

// What a macro writes is not read here.
bool isOfMacro(Sema &sema, SourceLocation name, ArrayRef<Tokens> parts) {
  return name.isMacroID() || llvm::any_of(parts, [&](const Tokens &part) {
           return llvm::any_of(part, [&](const Token &token) {
             return token.is(tok::raw_identifier) &&
                    sema.getPreprocessor().isMacroDefined(token.getRawIdentifier());
           });
         });
}

std::optional<HintFault> faultIn(Sema &sema, ArrayRef<Tokens> parts) {
  if (parts.empty() || parts[0].empty() ||
      llvm::any_of(parts[0], [](const Token &token) { return token.is(tok::equal); }))
    return HintFault::NoArchitecture;
  if (parts.size() == 1)
    return HintFault::NoPair;
  for (const Tokens &part : parts.drop_front()) {
    if (part.size() < 3 || part[0].isNot(tok::raw_identifier) || part[1].isNot(tok::equal))
      return HintFault::IncompletePair;
    for (const Token &token : ArrayRef(part).drop_front(2)) {
      if (tok::isStringLiteral(token.getKind()))
        return HintFault::Text;
      if (token.is(tok::raw_identifier) && isRunTimeVariable(sema, token))
        return HintFault::NotConstant;
    }
  }
  return {};
}

std::optional<int64_t> numberOf(const Tokens &tokens, const SourceManager &sources,
                                const LangOptions &options) {
  int64_t number = 0;
  if (tokens.size() != 1 ||
      StringRef(Lexer::getSpelling(tokens[0], sources, options)).getAsInteger(0, number))
    return {};
  return number;
}

} // namespace

Attr *annotateHint(Sema &sema, const ParsedAttr &attribute) {
  ASTContext &context = sema.Context;
  auto parts =
      partsBehind(attribute.getRange().getEnd(), context.getSourceManager(), context.getLangOpts());
  SmallVector<Expr *, 1> arguments;
  if (auto fault = isOfMacro(sema, attribute.getRange().getEnd(), parts) ? std::nullopt
                                                                         : faultIn(sema, parts))
    arguments.push_back(IntegerLiteral::Create(
        context, llvm::APInt(context.getIntWidth(context.UnsignedIntTy), unsigned(*fault)),
        context.UnsignedIntTy, attribute.getLoc()));
  return AnnotateAttr::Create(context, HintName, arguments.data(), arguments.size(),
                              attribute.getRange());
}

std::optional<HintFault> hintFaultOf(const AnnotateAttr *annotation) {
  if (annotation->getAnnotation() != HintName || annotation->args_size() == 0)
    return {};
  const Expr *code = (*annotation->args_begin())->IgnoreImplicit();
  if (auto *constant = dyn_cast<ConstantExpr>(code))
    code = constant->getSubExpr()->IgnoreImplicit();
  return HintFault(cast<IntegerLiteral>(code)->getValue().getZExtValue());
}

std::vector<Hint> hintsOf(const FunctionDecl *kernel) {
  std::vector<Hint> hints;
  const ASTContext &context = kernel->getASTContext();
  const SourceManager &sources = context.getSourceManager();
  const LangOptions &options = context.getLangOpts();
  for (auto *annotation : kernel->specific_attrs<AnnotateAttr>()) {
    if (annotation->getAnnotation() != HintName || hintFaultOf(annotation))
      continue;
    auto parts = partsBehind(annotation->getRange().getEnd(), sources, options);
    if (parts.empty())
      continue; // written by a macro
    auto arch = numberOf(parts[0], sources, options);
    for (const Tokens &part : ArrayRef(parts).drop_front())
      if (part.size() < 3)
        continue; // written by a macro
      else if (auto value = numberOf(Tokens(ArrayRef(part).drop_front(2)), sources, options);
               arch && value)
        hints.push_back({unsigned(*arch), part[0].getRawIdentifier().str(), *value});
  }
  return hints;
}

} // namespace tessera::frontend
