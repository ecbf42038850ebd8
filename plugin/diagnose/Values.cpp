// Operations that tiles, as values, lack: indexing, increments, constants; and ambiguities with
// C++'s own scalars.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

Operand firstOperand(const Error &error, unsigned argument) {
  const auto &ranges = error.main.storage.DiagRanges;
  return {error.main.type(argument), ranges.empty() ? CharSourceRange() : ranges[0]};
}

} // namespace

Explanation explainSubscript(const Error &error) {
  Operation operation = error.operation("[]", {firstOperand(error, 0)});
  Case given(operation, error.context, error.functions);
  if (given.isTile(0))
    return given.say(Row::TileSubscript, {given.print(0)});
  if (libraryClass(error.main.type(0), "tensor_span"))
    return given.say(Row::SpanSubscript, {given.print(0)});
  if (viewTypeOf(error.main.type(0)))
    return given.say(Row::ViewSubscript, {given.print(0)});
  auto loc = error.isInTileCode() ? explainBlockIndex(given, 0) : std::nullopt;
  if (loc) // the index decides which of them is meant
    loc->fixes.clear();
  return loc;
}

// Of a tile kernel.
Explanation explainReturnedValue(const Error &error) {
  const FunctionDecl *kernel = error.functions.empty() ? nullptr : error.functions.front();
  if (!kernel || !frontend::isTileKernel(kernel))
    return std::nullopt;
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions)
      .say(Row::ReturnedValue, {kernel->getNameAsString()});
}

Explanation explainTypeInformation(const Error &error) {
  if (!error.isInTileCode())
    return std::nullopt;
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions).say(Row::NoTypeInformation, {});
}

Explanation explainUnary(const Error &error) {
  Operation operation = error.operation("", {firstOperand(error, 0)});
  Case given(operation, error.context, error.functions);
  if (!given.isTile(0))
    return std::nullopt;
  if (error.main.id == diag::err_typecheck_illegal_increment_decrement)
    return given.say(Row::Increment, {given.print(0)});
  if (error.main.id == diag::err_typecheck_indirection_requires_pointer)
    return given.say(Row::Indirection, {given.print(0)});
  operation.name = given.fixes.tokenAt(error.main.location);
  const Element &element = given.element(0);
  if (element.kind == Element::RestrictedFloat)
    return given.say(Row::NotArithmetic, {given.name(), given.print(0), given.print(element)});
  if (operation.name == "~" && !element.isInteger())
    return given.say(Row::IntegersOnly, {given.name(), given.print(0), ""});
  if (element.isPointer())
    return given.say(Row::FunctionOfPointers, {given.name(), given.print(0)});
  return std::nullopt;
}

// __half and float: both operators of cuda_fp16.h, and C++'s own, are candidates.
Explanation explainMixedScalars(const Error &error) {
  const auto &ranges = error.main.storage.DiagRanges;
  if (error.main.type(1).isNull() || error.main.type(2).isNull() || ranges.size() < 2)
    return std::nullopt;
  Operation operation =
      error.operation(error.main.string(0).str(),
                      {{error.main.type(1), ranges[0]}, {error.main.type(2), ranges[1]}});
  Case given(operation, error.context, error.functions);
  if (!error.isInTileCode() || !given.isTileLike(0) || !given.isTileLike(1) ||
      !given.element(0).isArithmetic() || !given.element(1).isArithmetic())
    return std::nullopt;
  return given.say(Row::MixedScalars, {given.name(), given.print(0), given.print(1)});
}

Explanation explainConstantTile(const Error &error) {
  auto *variable = dyn_cast_or_null<VarDecl>(error.main.declaration(0));
  if (!variable)
    return std::nullopt;
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  std::string name = variable->getName().str();
  if (tileTypeOf(variable->getType(), error.context).isTile)
    return given.say(Row::ConstantTile, {name, print(variable->getType(), error.context)});
  for (const Message &note : error.notes)
    if (auto *function = note.id == diag::note_constexpr_invalid_function
                             ? dyn_cast_or_null<FunctionDecl>(note.declaration(2))
                             : nullptr;
        function && frontend::isTileLibrary(function))
      return given.say(Row::ConstantOfLibrary, {name, function->getNameAsString()});
  return std::nullopt;
}

namespace {

// Names of other languages and versions, with the names here.
constexpr struct {
  llvm::StringLiteral name, instead;
} elsewhere[] = {
#define TESSERA_NAME(name, instead) {#name, instead},
#include "diagnose/Names.def"
};

// The replacement for a member of a tile in other languages; empty if unknown.
std::string insteadOfMember(StringRef name) {
  if (std::string instead = insteadOfName(name); !instead.empty())
    return instead;
  StringRef usage = usageOfFunction(name);
  return usage.empty() ? "" : ("operations are functions; write " + usage).str();
}

// A function of another library, or of the program's for other code: Clang finds it in addition to
// those of tiles, which it does not take.
bool isForOtherCode(StringRef name, const ASTContext &context) {
  name = name.trim('\'');
  name.consume_front("::");
  const SourceManager &sources = context.getSourceManager();
  bool hasOthers = false;
  for (NamedDecl *found : context.getTranslationUnitDecl()->lookup(&context.Idents.get(name))) {
    if (isa<UsingDecl>(found))
      continue; // its names are found, too
    const FunctionDecl *function = found->getUnderlyingDecl()->getAsFunction();
    bool isForTiles = function && frontend::isTile(function) &&
                      !sources.isInSystemHeader(function->getLocation());
    if (!function || isForTiles)
      return false;
    hasOthers = true;
  }
  return hasOthers;
}

} // namespace

std::string insteadOfName(StringRef name) {
  StringRef plain = name; // of C's functions for each type, roundf and __erff
  plain.consume_front("__");
  plain.consume_back("f");
  for (StringRef word : {name, plain})
    for (auto &row : elsewhere)
      if (row.name == word)
        return row.instead.str();
  return "";
}

Explanation explainName(const Error &error) {
  DeclarationName name = error.main.name(0);
  const DeclContext *scope = error.main.scope(1);
  if (!name.isIdentifier() || !scope)
    return std::nullopt;
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  std::string text = name.getAsString();
  if (auto *space = dyn_cast<NamespaceDecl>(scope)) {
    if (space->getQualifiedNameAsString() != "cuda::tiles")
      return std::nullopt;
    if (space->lookup(&error.context.Idents.get("tile")).empty())
      return given.say(Row::NoHeader, {});
    if (std::string instead = insteadOfName(text); !instead.empty())
      return given.say(Row::NoName, {text, "; " + instead});
    if (std::string own = ownNameOf(text, error.context); !own.empty()) {
      // Clang's own edit, which omits the namespace, is replaced.
      ArrayRef<FixItHint> edits = error.main.storage.FixItHints;
      FixItHint edit = edits.empty()
                           ? FixItHint::CreateReplacement(error.main.location, own)
                           : FixItHint::CreateReplacement(edits.front().RemoveRange,
                                                          given.fixes.library(operation) + own);
      return given.say(Row::NoName, {text, "; did you mean '" + own + "'?"}, {edit});
    }
    bool isSuggested =
        llvm::is_contained({diag::err_no_member_suggest, diag::err_no_member_template_suggest,
                            diag::err_unknown_nested_typename_suggest},
                           error.main.id);
    std::string instead = isSuggested ? "; did you mean " + error.main.string(3).str() + "?" : "";
    if (isSuggested && error.main.string(3) == "'" + text + "'") // of no namespace
      instead = "; did you mean '::" + text + "'?";
    if (isSuggested && isForOtherCode(error.main.string(3), error.context))
      return given.say(Row::NoName, {text, ""});
    return given.say(Row::NoName, {text, instead},
                     {error.main.storage.FixItHints.begin(), error.main.storage.FixItHints.end()});
  }
  auto *record = dyn_cast<CXXRecordDecl>(scope);
  QualType type = record ? error.context.getCanonicalTagType(record) : QualType();
  std::string instead = insteadOfMember(text);
  if (!type.isNull() && tileTypeOf(type, error.context).isTile && !instead.empty())
    return given.say(Row::MemberIsFunction, {print(type, error.context), text, instead});
  if (!type.isNull() && tileTypeOf(type, error.context).isTile)
    return given.say(Row::NoMemberOfTile, {print(type, error.context), text});
  if (!type.isNull() && viewTypeOf(type))
    return given.say(Row::NoMemberOfView, {print(type, error.context), text});
  if (!type.isNull() && libraryClass(type, "tensor_span"))
    return given.say(Row::NoMemberOfSpan, {print(type, error.context), text});
  return std::nullopt;
}

} // namespace tessera::diagnose
