// Clang prints names without the leading `::` and marks unnamed namespaces: the printed name is
// parsed word by word, and both are corrected.
#include "frontend/edit/EntryNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace tessera::frontend {
namespace {

PrintingPolicy qualifyingPolicy(const ASTContext &context) {
  PrintingPolicy policy(context.getLangOpts());
  policy.FullyQualifiedName = true;
  policy.PrintAsCanonical = true;
  policy.SuppressTagKeyword = true;
  policy.SplitTemplateClosers = false;
  return policy;
}

// Clang prints a float argument in six decimal digits and without its suffix, which names another
// specialization, and an unsigned char as a character, which may be negative. A value of an
// enumeration without a name needs the type.
std::string printed(const clang::TemplateArgument &argument, const PrintingPolicy &policy,
                    bool includeType) {
  std::string result;
  llvm::raw_string_ostream out(result);
  bool isNumber = argument.getKind() == clang::TemplateArgument::Integral;
  if (isNumber && argument.getIntegralType()->isSpecificBuiltinType(BuiltinType::UChar)) {
    out << "(unsigned char)" << argument.getAsIntegral().getZExtValue();
    return result;
  }
  if (argument.getKind() == clang::TemplateArgument::StructuralValue &&
      argument.getAsStructuralValue().isFloat()) {
    char text[64];
    argument.getAsStructuralValue().getFloat().convertToHexString(
        text, 0, false, llvm::RoundingMode::NearestTiesToEven);
    bool isFloat = argument.getStructuralValueType()->isSpecificBuiltinType(BuiltinType::Float);
    out << text << (isFloat ? "f" : "");
    return result;
  }
  includeType |= isNumber && argument.getIntegralType()->isEnumeralType();
  argument.print(policy, out, includeType);
  return result;
}

const FunctionDecl *functionIn(const clang::TemplateArgument &argument) {
  return argument.getKind() == clang::TemplateArgument::Declaration
             ? dyn_cast<FunctionDecl>(argument.getAsDecl())
             : nullptr;
}

// A function's template arguments, each by `print`.
std::string listOf(const FunctionDecl *function, const PrintingPolicy &policy,
                   llvm::function_ref<std::string(const clang::TemplateArgument &, bool)> print) {
  auto *arguments = function->getTemplateSpecializationArgs();
  if (!arguments)
    return "";
  const FunctionTemplateDecl *primary = function->getPrimaryTemplate();
  std::string list;
  for (auto [i, argument] : llvm::enumerate(arguments->asArray())) {
    bool includeType = !primary || TemplateParameterList::shouldIncludeTypeForArgument(
                                       policy, primary->getTemplateParameters(), i);
    for (const clang::TemplateArgument &one : argument.getKind() == clang::TemplateArgument::Pack
                                                  ? argument.pack_elements()
                                                  : ArrayRef(argument))
      list += (list.empty() ? "" : ", ") + print(one, includeType);
  }
  return "<" + list + ">";
}

struct Word {
  StringRef before, text; // the characters between it and the previous one
  tok::TokenKind kind;
};

std::vector<Word> wordsOf(StringRef text, const LangOptions &language) {
  std::string ended = text.str(); // the lexer needs the 0 after it
  Lexer lexer(SourceLocation(), language, ended.data(), ended.data(), ended.data() + ended.size());
  std::vector<Word> words;
  size_t last = 0;
  for (Token token; lexer.LexFromRawLexer(token), token.isNot(tok::eof);) {
    size_t end = size_t(lexer.getBufferLocation() - ended.data());
    size_t begin = end - token.getLength();
    StringRef before = text.slice(last, begin), word = text.slice(begin, end);
    if (token.is(tok::greatergreater)) {
      words.push_back({before, word.take_front(), tok::greater});
      words.push_back({"", word.drop_front(), tok::greater});
    } else {
      words.push_back({before, word, token.getKind()});
    }
    last = end;
  }
  return words;
}

// `namespace a { namespace {`, and the closing braces.
std::pair<std::string, std::string> reopen(const NamespaceDecl *space) {
  auto [opening, closing] = isa<NamespaceDecl>(space->getParent())
                                ? reopen(cast<NamespaceDecl>(space->getParent()))
                                : std::pair<std::string, std::string>();
  opening += std::string(space->isInline() ? "inline " : "") + "namespace " +
             space->getNameAsString() + (space->isAnonymousNamespace() ? "{ " : " { ");
  return {opening, closing + " }"};
}

std::string pathOf(const FunctionDecl *function, const PrintingPolicy &policy) {
  std::string path;
  llvm::raw_string_ostream out(path);
  function->printNestedNameSpecifier(out, policy);
  return path;
}

constexpr llvm::StringLiteral unnamed = "(anonymous namespace)::";

} // namespace

// Parses the type or template argument that Clang printed.
class NameQualifier {
public:
  NameQualifier(EntryNames &names, StringRef text)
      : names(names), words(wordsOf(text, names.context.getLangOpts())) {}

  std::string read() { return readUntil(words.size()); }

private:
  std::string readUntil(size_t end) {
    std::string text;
    while (next < end)
      text += isNameAt(next) ? readName() : readWord();
    return text;
  }

  std::string readWord() {
    const Word &word = words[next++];
    return (word.before + word.text).str();
  }

  bool isIdentifier(size_t i) const {
    return i < words.size() && words[i].kind == tok::raw_identifier &&
           !names.context.Idents.get(words[i].text).isKeyword(names.context.getLangOpts());
  }
  bool isUnnamedAt(size_t i) const {
    return i + 4 < words.size() && words[i].kind == tok::l_paren &&
           words[i + 1].text == "anonymous" && words[i + 2].text == "namespace" &&
           words[i + 3].kind == tok::r_paren && words[i + 4].kind == tok::coloncolon;
  }
  // Does a name start here that is not part of another one?
  bool isNameAt(size_t i) const {
    auto behind = [&](tok::TokenKind kind) { return i > 0 && words[i - 1].kind == kind; };
    return (isIdentifier(i) || isUnnamedAt(i)) && !behind(tok::coloncolon) && !behind(tok::period);
  }

  // In a member pointer's class, `::` would continue the preceding name.
  bool followsName() const {
    return next > 0 && (isIdentifier(next - 1) || words[next - 1].kind == tok::greater);
  }

  std::string readName() {
    bool isReserved = words[next].text.starts_with("__");
    std::string text = words[next].before.str() + (isReserved || followsName() ? "" : "::");
    const DeclContext *scope = names.context.getTranslationUnitDecl();
    const NamespaceDecl *unnamedScope = nullptr;
    while (isIdentifier(next) || isUnnamedAt(next)) {
      if (isUnnamedAt(next)) {
        scope = unnamedScope = unnamedIn(scope);
        next += 5;
        continue;
      }
      StringRef identifier = words[next++].text;
      text +=
          unnamedScope ? readAliased(unnamedScope, identifier) : identifier.str() + readArguments();
      scope = namespaceIn(scope, identifier);
      unnamedScope = nullptr;
      if (next >= words.size() || words[next].kind != tok::coloncolon)
        break;
      text += words[next++].text;
    }
    return text;
  }

  // "<int, 3>", or nothing.
  std::string readArguments() {
    if (next >= words.size() || words[next].kind != tok::less)
      return "";
    unsigned depth = 0;
    size_t end = next;
    do {
      depth += words[end].kind == tok::less || words[end].kind == tok::l_paren;
      depth -= words[end].kind == tok::greater || words[end].kind == tok::r_paren;
    } while (++end < words.size() && depth);
    std::string text = words[next++].text.str();
    return text + readUntil(end);
  }

  // The alias of the next name in an unnamed namespace. A template without arguments has none.
  std::string readAliased(const NamespaceDecl *space, StringRef identifier) {
    std::string name = identifier.str() + readArguments();
    auto found = space->lookup(&names.context.Idents.get(identifier));
    const NamedDecl *declared = found.empty() ? nullptr : *found.begin();
    bool isTemplate = declared && isa<TemplateDecl>(declared) && name == identifier;
    std::string before, behind = " = " + name;
    if (!declared || isTemplate || isa<FunctionDecl>(declared))
      return name;
    if (isa<NamespaceDecl>(declared))
      before = "namespace ";
    else if (isa<TypeDecl, ClassTemplateDecl, TypeAliasTemplateDecl>(declared))
      before = "using ";
    else if (isa<EnumConstantDecl>(declared))
      before = "constexpr auto ";
    else
      before = "constexpr decltype(" + name + ") &";
    return names.define(space, identifier, before, behind);
  }

  static const NamespaceDecl *unnamedIn(const DeclContext *scope) {
    if (auto *unit = dyn_cast_or_null<TranslationUnitDecl>(scope))
      return unit->getAnonymousNamespace();
    auto *space = dyn_cast_or_null<NamespaceDecl>(scope);
    return space ? space->getAnonymousNamespace() : nullptr;
  }
  const DeclContext *namespaceIn(const DeclContext *scope, StringRef name) const {
    if (scope)
      for (NamedDecl *found : scope->lookup(&names.context.Idents.get(name)))
        if (auto *space = dyn_cast<NamespaceDecl>(found))
          return space->getFirstDecl();
    return nullptr;
  }

  EntryNames &names;
  const std::vector<Word> words;
  size_t next = 0;
};

EntryNames::EntryNames(const ASTContext &context)
    : context(context), policy(qualifyingPolicy(context)) {}

std::string EntryNames::typeOf(QualType type) {
  return qualified(type.getCanonicalType().getAsString(policy));
}

std::string EntryNames::qualified(StringRef printed) {
  return NameQualifier(*this, printed).read();
}

std::string EntryNames::argument(const clang::TemplateArgument &argument, bool includeType) {
  if (const FunctionDecl *function = functionIn(argument)) {
    std::string address = addressOf(function);
    if (!argument.getParamTypeForDecl()->isReferenceType())
      return address;
    return StringRef(address).starts_with("&") ? address.substr(1) : "*" + address;
  }
  return qualified(printed(argument, policy, includeType));
}

std::string EntryNames::templateArguments(const FunctionDecl *function) {
  return listOf(function, policy,
                [&](auto &one, bool includeType) { return argument(one, includeType); });
}

std::string EntryNames::addressOf(const FunctionDecl *function) {
  std::string path = pathOf(function, policy), arguments = templateArguments(function);
  const NamespaceDecl *space = unnamedNamespaceOf(function);
  if (!space || isa<CXXMethodDecl>(function))
    return "&" + qualified(path + function->getNameAsString()) + arguments;
  auto [around, within] = StringRef(path).rsplit(unnamed);
  std::string parameters;
  for (const ParmVarDecl *parameter : function->parameters())
    parameters += (parameters.empty() ? "" : ", ") + typeOf(parameter->getType());
  std::string alias =
      define(space, function->getName(), "constexpr " + typeOf(function->getReturnType()) + " (*",
             ")(" + parameters + ") = &" + within.str() + function->getNameAsString() + arguments);
  return qualified(around.str() + alias);
}

// The name includes the definition: equal names are one.
std::string EntryNames::define(const NamespaceDecl *space, StringRef name, StringRef before,
                               StringRef behind) {
  auto [opening, closing] = reopen(space);
  uint64_t content = llvm::xxh3_64bits((opening + before + behind).str());
  std::string alias = ("__tessera_" + name + "_" + llvm::utohexstr(uint32_t(content), true)).str();
  std::string definition = (opening + before + alias + behind + ";" + closing).str();
  if (!llvm::is_contained(aliases, definition))
    aliases.push_back(definition);
  return alias;
}

// "<1024>" of an instance or a specialisation.
static std::string argumentsOf(const FunctionDecl *function) {
  PrintingPolicy policy = qualifyingPolicy(function->getASTContext());
  policy.SuppressUnwrittenScope = true;
  return listOf(function, policy, [&](auto &one, bool includeType) {
    const FunctionDecl *inner = functionIn(one);
    if (!inner)
      return printed(one, policy, includeType);
    return (one.getParamTypeForDecl()->isReferenceType() ? "" : "&") + qualifiedName(inner);
  });
}

std::string qualifiedName(const FunctionDecl *function) {
  PrintingPolicy policy = qualifyingPolicy(function->getASTContext());
  policy.SuppressUnwrittenScope = true;
  return "::" + pathOf(function, policy) + function->getNameAsString() + argumentsOf(function);
}

// A template's parameter, or a pack, hides the kernel's name.
static bool hidesName(const FunctionDecl *kernel) {
  auto isCalledSo = [&](const NamedDecl *other) {
    return other->getDeclName() == kernel->getDeclName();
  };
  const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
  return llvm::any_of(kernel->parameters(),
                      [&](auto *one) { return one->isParameterPack() && isCalledSo(one); }) ||
         (pattern && llvm::any_of(*pattern->getTemplateParameters(), isCalledSo));
}

std::string nameInBody(const FunctionDecl *kernel) {
  PrintingPolicy policy = qualifyingPolicy(kernel->getASTContext());
  bool isQualified = !unnamedNamespaceOf(kernel) || hidesName(kernel);
  policy.SuppressUnwrittenScope = isQualified && unnamedNamespaceOf(kernel);
  std::string path = pathOf(kernel, policy);
  return (isQualified ? "::" + path : StringRef(path).rsplit(unnamed).second.str()) +
         kernel->getNameAsString() + argumentsOf(kernel);
}

const NamespaceDecl *unnamedNamespaceOf(const Decl *declaration) {
  for (const DeclContext *scope = declaration->getDeclContext(); scope; scope = scope->getParent())
    if (auto *space = dyn_cast<NamespaceDecl>(scope); space && space->isAnonymousNamespace())
      return space;
  return nullptr;
}

} // namespace tessera::frontend
