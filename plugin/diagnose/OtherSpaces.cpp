// Errors of CUDA's rules for execution spaces that precede the rules of tile code.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"

using namespace clang;

namespace tessera::diagnose {

Explanation explainOtherSpace(const Error &error) {
  auto *named = dyn_cast_or_null<NamedDecl>(error.main.declaration(2));
  if (!named)
    return std::nullopt;
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  auto *function = dyn_cast<FunctionDecl>(named);
  if (!error.isInTileCode() && function && frontend::isTileOnly(function))
    return given.say(Row::TileCodeCalled, {named->getNameAsString()});
  if (!error.isInTileCode())
    return std::nullopt;
  return given.say(isa<FunctionDecl>(named) ? Row::CallOfHost : Row::VariableOfHost,
                   {named->getNameAsString()});
}

// An object of a class of another library: its constructors and operators are host functions.
Explanation explainHostClass(const Error &error) {
  const SourceManager &sources = error.context.getSourceManager();
  bool isOfHost = llvm::any_of(error.notes, [&](const Message &note) {
    return note.id == diag::note_ovl_candidate_bad_target && note.location.isValid() &&
           sources.isInSystemHeader(note.location) && !isInLibrary(note.location, sources);
  });
  if (!isOfHost || !error.isInTileCode())
    return std::nullopt;
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  constexpr unsigned arguments = 3;
  for (unsigned i = 0; i < arguments; ++i) {
    QualType type = error.main.type(i);
    auto *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
    if (record && sources.isInSystemHeader(record->getLocation()) &&
        !isInLibrary(record->getLocation(), sources))
      return given.say(Row::CallOfHost, {record->getNameAsString()});
  }
  return std::nullopt;
}

// A call of a function of the program: a host function, or with a tile that does not convert to its
// parameter.
Explanation explainCall(const Error &error) {
  const SourceManager &sources = error.context.getSourceManager();
  auto isOfOtherSpace = [&](const Message &note) {
    return note.id == diag::note_ovl_candidate_bad_target &&
           (error.isInTileCode() || isInLibrary(note.location, sources));
  };
  if (auto found = error.isInTileCode() ? explainOtherLibrary(error) : std::nullopt)
    return found;
  if (llvm::any_of(error.notes, isOfOtherSpace)) {
    Operation operation = error.operation("", {});
    return Case(operation, error.context, error.functions)
        .say(error.isInTileCode() ? Row::CallOfHost : Row::TileCodeCalled,
             {error.main.name(0).getAsString()});
  }
  if (auto found = explainOperation(error))
    return found;
  constexpr unsigned toType = 4, position = 6; // of the note's arguments
  if (const Message *note = error.onlyNote(diag::note_ovl_candidate_bad_conv)) {
    auto call = callOfUsers(error.main, error.functions, error.context);
    unsigned argument = note->number(position).value_or(0);
    if (call && argument > 0 && argument <= call->operands.size() && !note->type(toType).isNull())
      return explainConverted(error, call->operands[argument - 1],
                              note->type(toType).getNonReferenceType());
  }
  return std::nullopt;
}

// A kernel, and a function of another kind with the same parameters.
Explanation explainOtherKind(const Error &error) {
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  DeclarationName name = error.main.name(1);
  if (!name || !isKernelsName(name, error.context))
    return std::nullopt;
  return given.say(Row::OtherKind, {name.getAsString()});
}

Explanation explainKernelCall(const Error &error) {
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  if (error.main.id == diag::err_cuda_device_kernel_launch_require_rdc)
    return given.say(error.isInTileCode() ? Row::LaunchInTileCode : Row::LaunchInDeviceCode, {});
  auto *kernel = dyn_cast_or_null<FunctionDecl>(error.main.declaration(0));
  if (!kernel || !frontend::isTileKernel(kernel))
    return std::nullopt;
  return given.say(Row::KernelIsCalled, {kernel->getNameAsString()});
}

Explanation explainKernelType(const Error &error) {
  auto *type =
      error.main.type(0).isNull() ? nullptr : error.main.type(0)->getAs<FunctionProtoType>();
  if (!type)
    return std::nullopt;
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions)
      .say(Row::KernelResult, {print(type->getReturnType(), error.context)});
}

// Specifiers are macros: the attributes in them exclude each other.
Explanation explainSpecifiers(const Error &error) {
  const SourceManager &sources = error.context.getSourceManager();
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  auto specifier = [&](SourceLocation loc) {
    return given.fixes.tokenAt(sources.getExpansionLoc(loc));
  };
  if (error.notes.empty())
    return std::nullopt;
  std::string second = specifier(error.main.location), first = specifier(error.notes[0].location);
  if (!StringRef(first).starts_with("__tile") && !StringRef(second).starts_with("__tile"))
    return std::nullopt;
  operation.location = sources.getExpansionLoc(error.main.location);
  return given.say(Row::Specifiers, {first, second});
}

} // namespace tessera::diagnose
