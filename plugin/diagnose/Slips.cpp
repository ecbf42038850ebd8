// Habits from other languages: names without their namespace, shapes that are numbers, single
// elements, functions of other libraries.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

const NamespaceDecl *spaceOf(const DeclContext *scope, StringRef name, const ASTContext &context) {
  for (const NamedDecl *found : scope->lookup(&context.Idents.get(name)))
    if (auto *space = dyn_cast<NamespaceDecl>(found))
      return space;
  return nullptr;
}

// Null if the header is not included.
const NamespaceDecl *librarySpace(const ASTContext &context) {
  const NamespaceDecl *cuda = spaceOf(context.getTranslationUnitDecl(), "cuda", context);
  return cuda ? spaceOf(cuda, "tiles", context) : nullptr;
}

bool isInLibrarySpace(StringRef name, const ASTContext &context) {
  const NamespaceDecl *space = librarySpace(context);
  return space && !space->lookup(&context.Idents.get(name)).empty();
}

Operand firstOperand(const Error &error) {
  const auto &ranges = error.main.storage.DiagRanges;
  return {error.main.type(0), ranges.empty() ? CharSourceRange() : ranges[0]};
}

} // namespace

std::string ownNameOf(StringRef name, const ASTContext &context) {
  name.consume_front("__");
  StringRef plain = name;
  if (!isInLibrarySpace(plain, context) && plain.consume_back("f") &&
      !isInLibrarySpace(plain, context))
    plain.consume_front("f");
  return isInLibrarySpace(plain, context) ? plain.str() : "";
}

// `cuda` without the header, and a library name without `ct::`.
Explanation explainUndeclared(const Error &error) {
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  if (error.main.location.isMacroID() || (!error.functions.empty() && !error.isInTileCode()))
    return std::nullopt;
  std::string name = given.fixes.tokenAt(error.main.location);
  if (name == "cuda" && !librarySpace(error.context))
    return given.say(Row::NoHeader, {});
  if (!isInLibrarySpace(name, error.context))
    return std::nullopt;
  std::string qualifier = given.fixes.library(operation);
  return given.say(Row::NotQualified, {name, qualifier},
                   {FixItHint::CreateInsertion(error.main.location, qualifier)});
}

// The header itself checks the standard. The location is that of its include in the program.
Explanation explainStandard(const Error &error) {
  const SourceManager &sources = error.context.getSourceManager();
  SourceLocation loc = error.main.location;
  if (error.context.getLangOpts().CPlusPlus20 || !isInLibrary(loc, sources))
    return std::nullopt;
  while (loc.isValid() && isInLibrary(loc, sources))
    loc = sources.getIncludeLoc(sources.getFileID(loc));
  Operation operation = error.operation("", {});
  if (loc.isValid())
    operation.location = loc;
  return Case(operation, error.context, error.functions).say(Row::Standard, {});
}

// tile<float, 64>
Explanation explainTypeArgument(const Error &error) {
  const Message *note = error.onlyNote(diag::note_template_param_here);
  if (!note || !isInLibrary(note->location, error.context.getSourceManager()))
    return std::nullopt;
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions).say(Row::ShapeOfNumbers, {});
}

// tile<float>
Explanation explainTemplateArguments(const Error &error) {
  const Message *note = error.onlyNote(diag::note_template_decl_here);
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  bool isOfLibrary = note && isInLibrary(note->location, error.context.getSourceManager());
  if (!isOfLibrary || given.fixes.tokenAt(note->location) != "tile")
    return std::nullopt;
  return given.say(Row::TileArguments, {});
}

// 8_ic without its namespace
Explanation explainLiteral(const Error &error) {
  if (error.main.name(0).getCXXLiteralIdentifier() != &error.context.Idents.get("_ic") ||
      !librarySpace(error.context))
    return std::nullopt;
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  return given.say(Row::LiteralNotNamed, {given.fixes.library(operation)});
}

// shape<n>
Explanation explainConstant(const Error &error) {
  if (!error.isInTileCode() || error.main.location.isMacroID())
    return std::nullopt;
  auto [file, offset] = error.context.getSourceManager().getDecomposedLoc(error.main.location);
  StringRef before = error.context.getSourceManager().getBufferData(file).take_front(offset);
  size_t open = before.find_last_of("<;{}");
  if (open == StringRef::npos || !before.take_front(open).rtrim().ends_with("shape"))
    return std::nullopt;
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  return given.say(Row::ExtentAtRunTime, {given.fixes.tokenAt(error.main.location)});
}

// for (float element : x)
Explanation explainRange(const Error &error) {
  Operation operation = error.operation("", {firstOperand(error)});
  Case given(operation, error.context, error.functions);
  return given.isTile(0) ? given.say(Row::TileRange, {given.print(0)}) : Explanation();
}

// p[indices]
Explanation explainPointerSubscript(const Error &error) {
  Operation operation = error.operation("[]", {firstOperand(error)});
  Case given(operation, error.context, error.functions);
  if (given.isTile(0))
    return given.say(Row::TileSubscript, {given.print(0)});
  QualType type = error.main.type(0);
  if (!error.isInTileCode() || type.isNull() || !type->isPointerType())
    return std::nullopt;
  return given.say(Row::PointerSubscript, {given.print(0)});
}

// bid(0)
Explanation explainTooMany(const Error &error) {
  const Message *note = error.onlyNote(diag::note_callee_decl);
  auto *function = note ? dyn_cast_or_null<FunctionDecl>(note->declaration(0)) : nullptr;
  if (!function || !frontend::isTileLibrary(function) || function->getNumParams())
    return std::nullopt;
  Operation operation = error.operation("", {});
  std::string name = function->getNameAsString();
  return Case(operation, error.context, error.functions)
      .say(Row::Form, {"'" + name + "'", "an argument", name + "()"});
}

// std::max(x, 0.0f): all candidates are from other libraries.
Explanation explainOtherLibrary(const Error &error) {
  const SourceManager &sources = error.context.getSourceManager();
  auto call = callOfUsers(error.main, error.functions, error.context);
  bool isOfOthers = llvm::all_of(error.notes, [&](const Message &note) {
    return note.location.isValid() && sources.isInSystemHeader(note.location) &&
           !isInLibrary(note.location, sources);
  });
  if (!call || !isOfOthers || error.notes.empty())
    return std::nullopt;
  Case given(*call, error.context, error.functions);
  std::string name = error.main.name(0).getAsString();
  for (unsigned i = 0; i < given.size(); ++i)
    if (given.isTile(i)) {
      Operation unqualified = error.operation("", {});
      std::string own = ownNameOf(name, error.context);
      std::string instead =
          own.empty() ? insteadOfName(name) : "write " + given.fixes.library(unqualified) + own;
      if (!instead.empty())
        instead.insert(0, "; ");
      return given.say(Row::OfOtherLibrary, {name, given.print(i), instead});
    }
  return std::nullopt;
}

} // namespace tessera::diagnose
