// Literals get another suffix if their value stays the same; all else is wrapped in a cast.
#include "diagnose/Fixes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

constexpr StringRef decimalDigits = "0123456789'";

// The literal's digits with the suffix of another type; empty if it is no literal, or this type has
// none.
std::string respelled(StringRef literal, const Element &to) {
  if (literal.empty() || !isDigit(literal.front()))
    return "";
  StringRef digits = literal.rtrim("uUlLfF");
  bool isInteger = digits.find_first_not_of(decimalDigits) == StringRef::npos;
  bool isFloat = !isInteger && digits.find_first_not_of("0123456789'.eE+-") == StringRef::npos;
  auto *builtin = to.type->getAs<BuiltinType>();
  if ((!isInteger && !isFloat) || !builtin)
    return "";
  if (to.isFloat())
    return isInteger ? (digits + (to.bits == 32 ? ".0f" : ".0")).str()
                     : (digits + (to.bits == 32 ? "f" : "")).str();
  if (isFloat)
    return "";
  switch (builtin->getKind()) {
  case BuiltinType::Int: return digits.str();
  case BuiltinType::UInt: return (digits + "u").str();
  case BuiltinType::Long: return (digits + "l").str();
  case BuiltinType::ULong: return (digits + "ul").str();
  case BuiltinType::LongLong: return (digits + "ll").str();
  case BuiltinType::ULongLong: return (digits + "ull").str();
  default: return "";
  }
}

// Is the whole text in one pair of parentheses? Parentheses in literals are ignored.
bool isInParentheses(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i > 0 && i + 1 == text.size();
  }
  return false;
}

// For use in a sentence.
std::string shortened(const std::string &text) {
  bool isShort = text.size() <= 24 && text.find('\n') == std::string::npos;
  return isShort ? text : isInParentheses(text) ? "(...)" : "...";
}

const NamespaceAliasDecl *aliasIn(const DeclContext *scope) {
  for (const Decl *declaration : scope->noload_decls())
    if (auto *alias = dyn_cast<NamespaceAliasDecl>(declaration);
        alias && alias->getNamespace()->getQualifiedNameAsString() == "cuda::tiles")
      return alias;
  return nullptr;
}

} // namespace

CharSourceRange Fixes::rangeOf(const Operand &operand) const {
  const SourceManager &sources = context.getSourceManager();
  const LangOptions &language = context.getLangOpts();
  SourceLocation begin = operand.range.getBegin(), end = operand.range.getEnd();
  if (begin.isInvalid() || end.isInvalid() ||
      (begin.isMacroID() && !Lexer::isAtStartOfMacroExpansion(begin, sources, language, &begin)) ||
      (end.isMacroID() && !Lexer::isAtEndOfMacroExpansion(end, sources, language, &end)) ||
      !sources.isWrittenInSameFile(begin, end))
    return {};
  return {SourceRange(begin, end), operand.range.isTokenRange()};
}

std::string Fixes::textOf(const Operand &operand) const {
  CharSourceRange range = rangeOf(operand);
  return range.isInvalid()
             ? ""
             : Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts()).str();
}

std::string Fixes::library(const Operation &operation) const {
  if (!operation.qualifier.empty())
    return operation.qualifier;
  for (const FunctionDecl *function : functions) {
    if (const NamespaceAliasDecl *alias = aliasIn(function))
      return alias->getName().str() + "::";
    for (const DeclContext *scope = function->getLexicalParent(); scope;
         scope = scope->getLexicalParent())
      if (const NamespaceAliasDecl *alias = aliasIn(scope))
        return alias->getName().str() + "::";
  }
  return "cuda::tiles::";
}

std::vector<FixItHint> Fixes::behind(const Operand &operand, StringRef text) const {
  if (textOf(operand).empty())
    return {};
  return {FixItHint::CreateInsertion(Lexer::getLocForEndOfToken(rangeOf(operand).getEnd(), 0,
                                                                context.getSourceManager(),
                                                                context.getLangOpts()),
                                     text)};
}

Fix Fixes::convert(const Operation &operation, const Operand &operand, const Element &to) const {
  if (std::string literal = respelled(textOf(operand), to); !literal.empty())
    return {literal, {FixItHint::CreateReplacement(rangeOf(operand), literal)}};
  return wrap(operand, library(operation) + "element_cast<" + print(to.type, context) + ">");
}

Fix Fixes::wrap(const Operand &operand, const std::string &function) const {
  std::string text = textOf(operand);
  SourceLocation begin = rangeOf(operand).getBegin();
  if (text.empty())
    return {function + "(...)", {}};
  if (isInParentheses(text))
    return {function + shortened(text), {FixItHint::CreateInsertion(begin, function)}};
  std::vector<FixItHint> edits = behind(operand, ")");
  edits.insert(edits.begin(), FixItHint::CreateInsertion(begin, function + "("));
  return {function + "(" + shortened(text) + ")", edits};
}

std::string Fixes::tokenAt(SourceLocation location) const {
  const SourceManager &sources = context.getSourceManager();
  SourceLocation spelling = sources.getSpellingLoc(location);
  unsigned length = Lexer::MeasureTokenLength(spelling, sources, context.getLangOpts());
  return std::string(sources.getCharacterData(spelling), length);
}

} // namespace tessera::diagnose
