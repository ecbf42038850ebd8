// A hint is parsed token by token. Values are constant expressions; names in them are looked up at
// the attribute's location.
#include "frontend/parse/Hints.h"

#include "frontend/parse/RawNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr llvm::StringLiteral HintName = "cutile::hint";

constexpr llvm::StringLiteral Keys[] = {"allow_tma", "latency", "num_cta_in_cga",
                                        "num_worker_warps_per_cta", "occupancy"};

using Tokens = SmallVector<Token, 8>;

// The tokens between the parentheses after the attribute's name, split at commas; empty without
// parentheses.
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
  int depth = 0, angles = 0; // commas of calls and of template arguments do not split
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

// The meaning of a name in a value.
struct Meaning {
  enum Kind { Unknown, Undeclared, RunTime, Type, Function, Value } kind = Unknown;
  QualType type;                // of a Value; the return type of a Function
  DeclContext *scope = nullptr; // that a following `::` looks into
};

Meaning meaningOf(Sema &sema, NamedDecl *found) {
  found = found->getUnderlyingDecl();
  if (auto *space = dyn_cast<NamespaceDecl>(found))
    return {Meaning::Unknown, {}, space};
  if (auto *alias = dyn_cast<NamespaceAliasDecl>(found))
    return {Meaning::Unknown, {}, alias->getNamespace()};
  if (auto *type = dyn_cast<TypeDecl>(found)) {
    QualType named = sema.Context.getTypeDeclType(type);
    TagDecl *tag = named->isDependentType() ? nullptr : named->getAsTagDecl();
    return {Meaning::Type, {}, tag ? tag->getDefinition() : nullptr};
  }
  if (auto *function = dyn_cast<FunctionDecl>(found))
    return {Meaning::Function, function->getReturnType()};
  auto *value = dyn_cast<ValueDecl>(found);
  if (!value || value->getType()->isDependentType())
    return {};
  auto *variable = dyn_cast<VarDecl>(found);
  bool isKnown = !variable || (variable->hasInit() && variable->getInit()->isValueDependent()) ||
                 variable->isUsableInConstantExpressions(sema.Context);
  return {isKnown ? Meaning::Value : Meaning::RunTime, value->getType()};
}

// The meaning of the name at the end of `a::b::name`; sets `at` to the position after it.
Meaning lookUp(Sema &sema, ArrayRef<Token> tokens, size_t &at) {
  DeclContext *scope = nullptr;
  if (tokens[at].is(tok::coloncolon)) {
    scope = sema.Context.getTranslationUnitDecl();
    ++at;
  }
  for (;; at += 2) {
    if (at >= tokens.size() || tokens[at].isNot(tok::raw_identifier))
      return {};
    IdentifierInfo &name = sema.Context.Idents.get(nameOf(tokens[at]));
    LookupResult found(sema, &name, tokens[at].getLocation(), Sema::LookupOrdinaryName);
    found.suppressDiagnostics();
    bool isFound =
        scope ? sema.LookupQualifiedName(found, scope) : sema.LookupName(found, sema.getCurScope());
    bool isLast = at + 1 >= tokens.size() || tokens[at + 1].isNot(tok::coloncolon);
    Meaning meaning;
    if (isFound && found.isSingleResult())
      meaning = meaningOf(sema, found.getFoundDecl());
    else if (found.getResultKind() == LookupResultKind::NotFound)
      meaning.kind = Meaning::Undeclared;
    if (isLast || meaning.kind == Meaning::Undeclared || !meaning.scope)
      return isLast || meaning.kind == Meaning::Undeclared ? meaning : Meaning();
    scope = meaning.scope;
  }
}

bool isFloatingLiteral(const Token &token) {
  StringRef text(token.getLiteralData(), token.getLength());
  return token.is(tok::numeric_constant) && !text.starts_with_insensitive("0x") &&
         text.find_first_of(".eE") != StringRef::npos && isDigit(text.trim(".").front());
}

// The end of the template arguments after a name, which may be of any type.
size_t behindArguments(ArrayRef<Token> tokens, size_t name) {
  size_t at = name;
  int depth = 0;
  while (at + 1 < tokens.size() && (depth > 0 || tokens[at + 1].is(tok::less))) {
    depth += tokens[++at].is(tok::less);
    depth -= tokens[at].is(tok::greater);
    if (depth == 0)
      break;
  }
  return at;
}

// A constant of an integral or an enumeration type. Parenthesized parts may be of any type, like
// the operands of a comparison.
std::optional<HintFault> faultOfValue(Sema &sema, ArrayRef<Token> tokens, std::string &name) {
  bool isFloating = false, isCompared = false;
  int depth = 0;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const Token &token = tokens[at];
    bool isOutside = depth == 0;
    depth += token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square);
    depth -= token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square);
    isCompared |= isOutside && token.isOneOf(tok::equalequal, tok::exclaimequal, tok::less,
                                             tok::greater, tok::lessequal, tok::greaterequal,
                                             tok::exclaim, tok::ampamp, tok::pipepipe);
    if (tok::isStringLiteral(token.getKind()))
      return HintFault::Text;
    isFloating |= isOutside && isFloatingLiteral(token);
    bool isName = token.is(tok::raw_identifier) &&
                  sema.Context.Idents.get(nameOf(token)).getTokenID() == tok::identifier;
    if (token.is(tok::raw_identifier) && tokens.size() == 1 && !isName &&
        !llvm::is_contained({"true", "false"}, nameOf(token)))
      return HintFault::NotInteger; // a type, nullptr
    if (!isName && token.isNot(tok::coloncolon))
      continue;
    if (at > 0 && tokens[at - 1].isOneOf(tok::period, tok::arrow))
      continue; // a member of an object
    size_t last = at;
    Meaning meaning = lookUp(sema, tokens, last);
    bool isCalled =
        last + 1 < tokens.size() && tokens[last + 1].isOneOf(tok::l_paren, tok::l_brace, tok::less);
    bool isWhole = at == 0 && last + 1 >= tokens.size();
    switch (meaning.kind) {
    case Meaning::Undeclared: name = nameOf(tokens[last]); return HintFault::Undeclared;
    case Meaning::RunTime: return HintFault::NotConstant;
    case Meaning::Type:
      if (isWhole)
        return HintFault::NotInteger;
      break;
    case Meaning::Function:
      if (isWhole)
        return HintFault::NotInteger;
      isFloating |= isOutside && isCalled && meaning.type->isFloatingType();
      break;
    case Meaning::Value: isFloating |= isOutside && meaning.type->isFloatingType(); break;
    default: break;
    }
    at = std::min(last, tokens.size() - 1);
    if (meaning.kind != Meaning::Value)
      at = behindArguments(tokens, at);
  }
  return isFloating && !isCompared ? std::optional(HintFault::NotInteger) : std::nullopt;
}

// Code from a macro is not parsed here.
bool isOfMacro(Sema &sema, SourceLocation name, ArrayRef<Tokens> parts) {
  return name.isMacroID() || llvm::any_of(parts, [&](const Tokens &part) {
           return llvm::any_of(part, [&](const Token &token) {
             return token.is(tok::raw_identifier) &&
                    sema.getPreprocessor().isMacroDefined(nameOf(token));
           });
         });
}

std::optional<HintFault> faultIn(Sema &sema, ArrayRef<Tokens> parts, std::string &name) {
  if (parts.empty() || parts[0].empty() ||
      llvm::any_of(parts[0], [](const Token &token) { return token.is(tok::equal); }))
    return HintFault::NoArchitecture;
  if (parts.size() == 1)
    return HintFault::NoPair;
  if (auto fault = faultOfValue(sema, parts[0], name))
    return fault;
  for (const Tokens &part : parts.drop_front()) {
    if (part.size() < 3 || part[0].isNot(tok::raw_identifier) || part[1].isNot(tok::equal))
      return HintFault::IncompletePair;
    if (auto fault = faultOfValue(sema, ArrayRef(part).drop_front(2), name))
      return fault;
  }
  return {};
}

// The integral constants in a kernel's hints, by name.
class HintValues {
public:
  explicit HintValues(const FunctionDecl *kernel)
      : kernel(kernel), context(kernel->getASTContext()) {}

  std::optional<int64_t> of(ArrayRef<Token> tokens) {
    rest = tokens;
    auto value = sum();
    return rest.empty() ? value : std::nullopt;
  }

private:
  using Value = std::optional<int64_t>;

  bool take(tok::TokenKind kind) {
    if (rest.empty() || rest.front().isNot(kind))
      return false;
    rest = rest.drop_front();
    return true;
  }

  template <class Compute> static Value both(Value a, Value b, Compute compute) {
    int64_t result = 0;
    return a && b && !compute(*a, *b, result) ? Value(result) : std::nullopt;
  }

  Value sum() {
    Value value = product();
    while (value)
      if (take(tok::plus))
        value = both(value, product(), llvm::AddOverflow<int64_t>);
      else if (take(tok::minus))
        value = both(value, product(), llvm::SubOverflow<int64_t>);
      else
        break;
    return value;
  }

  Value product() {
    Value value = single();
    while (value && !rest.empty() && rest.front().isOneOf(tok::star, tok::slash)) {
      bool isQuotient = take(tok::slash) || !take(tok::star);
      Value other = single();
      if (isQuotient && (!other || *other <= 0)) // no other use is meaningful
        return {};
      value = isQuotient ? Value(*value / *other) : both(value, other, llvm::MulOverflow<int64_t>);
    }
    return value;
  }

  Value single() {
    if (take(tok::minus))
      return both(0, single(), llvm::SubOverflow<int64_t>);
    if (take(tok::l_paren)) {
      Value value = sum();
      return take(tok::r_paren) ? value : std::nullopt;
    }
    if (rest.empty())
      return {};
    Token token = rest.front();
    rest = rest.drop_front();
    if (token.is(tok::raw_identifier))
      return named(nameOf(token));
    if (token.isNot(tok::numeric_constant))
      return {};
    std::string spelling =
        Lexer::getSpelling(token, context.getSourceManager(), context.getLangOpts());
    int64_t number = 0;
    if (StringRef(spelling).rtrim("uUlL").getAsInteger(0, number))
      return {};
    return number;
  }

  // A template parameter of the kernel, or a constant of an enclosing scope.
  Value named(StringRef name) {
    if (const FunctionTemplateDecl *pattern = kernel->getPrimaryTemplate())
      for (auto [i, parameter] : llvm::enumerate(*pattern->getTemplateParameters()))
        if (parameter->getName() == name) {
          const clang::TemplateArgumentList *arguments = kernel->getTemplateSpecializationArgs();
          bool isNumber = arguments && i < arguments->size() &&
                          arguments->get(i).getKind() == clang::TemplateArgument::Integral;
          if (arguments && i < arguments->size())
            isOfOtherType |= isNoInteger(arguments->get(i));
          return isNumber ? valueOf(arguments->get(i).getAsIntegral()) : std::nullopt;
        }
    DeclarationName wanted(&context.Idents.get(name));
    for (const DeclContext *scope = kernel->getDeclContext(); scope; scope = scope->getParent())
      for (const NamedDecl *found : scope->lookup(wanted)) {
        if (auto *constant = dyn_cast<EnumConstantDecl>(found))
          return valueOf(constant->getInitVal());
        auto *variable = dyn_cast<VarDecl>(found);
        bool isConstant = variable && variable->getType()->isIntegralOrEnumerationType() &&
                          variable->isUsableInConstantExpressions(context) &&
                          !variable->getInit()->isValueDependent();
        const APValue *value = isConstant ? variable->evaluateValue() : nullptr;
        return value && value->isInt() ? valueOf(value->getInt()) : std::nullopt;
      }
    return {};
  }

  static bool isNoInteger(const clang::TemplateArgument &argument) {
    return argument.getKind() == clang::TemplateArgument::NullPtr ||
           (argument.getKind() == clang::TemplateArgument::StructuralValue &&
            argument.getStructuralValueType()->isFloatingType());
  }
  static Value valueOf(const llvm::APSInt &number) { return number.tryExtValue(); }

  const FunctionDecl *kernel;
  const ASTContext &context;
  ArrayRef<Token> rest;

public:
  bool isOfOtherType = false; // a requested argument is not an integer
};

} // namespace

Attr *annotateHint(Sema &sema, const ParsedAttr &attribute) {
  ASTContext &context = sema.Context;
  auto parts =
      partsBehind(attribute.getRange().getEnd(), context.getSourceManager(), context.getLangOpts());
  SmallVector<Expr *, 2> arguments;
  std::string name;
  if (auto fault = isOfMacro(sema, attribute.getRange().getEnd(), parts)
                       ? std::nullopt
                       : faultIn(sema, parts, name)) {
    arguments.push_back(IntegerLiteral::Create(
        context, llvm::APInt(context.getIntWidth(context.UnsignedIntTy), unsigned(*fault)),
        context.UnsignedIntTy, attribute.getLoc()));
    QualType text = context.getStringLiteralArrayType(context.CharTy, unsigned(name.size()));
    arguments.push_back(StringLiteral::Create(context, name, StringLiteralKind::Ordinary,
                                              /*Pascal=*/false, text, attribute.getLoc()));
  }
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

StringRef nameInHintFault(const AnnotateAttr *annotation) {
  const Expr *name = (annotation->args_begin()[1])->IgnoreImplicit();
  if (auto *constant = dyn_cast<ConstantExpr>(name))
    name = constant->getSubExpr()->IgnoreImplicit();
  return cast<StringLiteral>(name)->getString();
}

std::vector<UnknownHint> unknownHintsOf(const AnnotateAttr *annotation, const ASTContext &context) {
  SourceLocation name = annotation->getRange().getEnd();
  if (annotation->getAnnotation() != HintName || hintFaultOf(annotation) || name.isMacroID())
    return {};
  std::vector<UnknownHint> unknown;
  auto parts = partsBehind(name, context.getSourceManager(), context.getLangOpts());
  for (const Tokens &part : ArrayRef(parts).drop_front(!parts.empty())) {
    if (part.size() < 3 || part[1].isNot(tok::equal))
      continue; // from a macro
    const std::string key = nameOf(part[0]);
    if (llvm::is_contained(Keys, key))
      continue;
    UnknownHint one{part[0].getLocation(), key, ""};
    constexpr unsigned farthest = 3;
    unsigned least = farthest;
    for (StringRef known : Keys)
      if (unsigned distance = StringRef(key).edit_distance(known, true, farthest);
          distance < least) {
        least = distance;
        one.meant = known.str();
      }
    unknown.push_back(std::move(one));
  }
  return unknown;
}

std::vector<SourceLocation> hintsOfOtherTypes(const FunctionDecl *kernel) {
  std::vector<SourceLocation> locations;
  const ASTContext &context = kernel->getASTContext();
  for (auto *annotation : kernel->specific_attrs<AnnotateAttr>()) {
    if (annotation->getAnnotation() != HintName || hintFaultOf(annotation))
      continue;
    HintValues values(kernel);
    auto parts = partsBehind(annotation->getRange().getEnd(), context.getSourceManager(),
                             context.getLangOpts());
    for (ArrayRef<Token> part : parts)
      if (part.size() == 3) // an expression of an argument may be an integer
        values.of(part.drop_front(2));
    if (values.isOfOtherType)
      locations.push_back(annotation->getLocation());
  }
  return locations;
}

std::vector<Hint> hintsOf(const FunctionDecl *kernel) {
  std::vector<Hint> hints;
  HintValues values(kernel);
  const ASTContext &context = kernel->getASTContext();
  const SourceManager &sources = context.getSourceManager();
  const LangOptions &options = context.getLangOpts();
  for (auto *annotation : kernel->specific_attrs<AnnotateAttr>()) {
    if (annotation->getAnnotation() != HintName || hintFaultOf(annotation))
      continue;
    auto parts = partsBehind(annotation->getRange().getEnd(), sources, options);
    if (parts.empty())
      continue; // from a macro
    auto arch = values.of(parts[0]);
    for (const Tokens &part : ArrayRef(parts).drop_front())
      if (part.size() >= 3) // else from a macro
        if (auto value = values.of(ArrayRef(part).drop_front(2)); arch && value)
          hints.push_back({unsigned(*arch), nameOf(part[0]), *value});
  }
  return hints;
}

std::vector<Hint> hintsFor(const GpuTarget &target, ArrayRef<Hint> hints) {
  std::vector<Hint> own, ofAll;
  for (const Hint &hint : hints)
    if (hint.arch == target.number * 10)
      own.push_back(hint);
    else if (hint.arch == 0)
      ofAll.push_back(hint);
  for (const Hint &hint : ofAll)
    if (llvm::none_of(own, [&](const Hint &other) { return other.key == hint.key; }))
      own.push_back(hint);
  return own;
}

} // namespace tessera::frontend
