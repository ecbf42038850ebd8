// Clang calls a function of its engine for the text of each argument of a message: that for AST
// nodes handles all types except the library's.
#include "diagnose/TypesInMessages.h"
#include "diagnose/TileTypes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTDiagnostic.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

bool isOfLibrary(QualType type, const ASTContext &context) {
  while (!type.isNull() && (type->isPointerType() || type->isReferenceType()))
    type = type->getPointeeType();
  return !type.isNull() && !type->isDependentType() &&
         (tileTypeOf(type, context).isTile || viewTypeOf(type) ||
          libraryClass(type, "tensor_span"));
}

std::string spelled(QualType type, const ASTContext &context) {
  if (type->isPointerType() || type->isReferenceType())
    return spelled(type->getPointeeType(), context) + (type->isPointerType()           ? " *"
                                                       : type->isLValueReferenceType() ? " &"
                                                                                       : " &&");
  std::string qualifiers = type.getCanonicalType().getQualifiers().getAsString();
  return qualifiers + (qualifiers.empty() ? "" : " ") + print(type.getUnqualifiedType(), context);
}

void spellArgument(DiagnosticsEngine::ArgumentKind kind, intptr_t value, StringRef modifier,
                   StringRef argument, ArrayRef<DiagnosticsEngine::ArgumentValue> previous,
                   SmallVectorImpl<char> &output, void *cookie, ArrayRef<intptr_t> types) {
  const ASTContext &context = *static_cast<ASTContext *>(cookie);
  auto typeOf = [](intptr_t pointer) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): how a diagnostic holds a type
    return QualType::getFromOpaquePtr(reinterpret_cast<void *>(pointer));
  };
  QualType type;
  if (kind == DiagnosticsEngine::ak_qualtype)
    type = typeOf(value);
  // Two types that differ: Clang compares their arguments, unless they are printed separately.
  if (kind == DiagnosticsEngine::ak_qualtype_pair) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): how a diagnostic holds two types
    auto &pair = *reinterpret_cast<TemplateDiffTypes *>(value);
    bool areOurs =
        isOfLibrary(typeOf(pair.FromType), context) || isOfLibrary(typeOf(pair.ToType), context);
    if (areOurs && pair.PrintTree)
      return;
    if (areOurs) {
      kind = DiagnosticsEngine::ak_qualtype;
      value = pair.PrintFromType ? pair.FromType : pair.ToType;
      type = typeOf(value), modifier = argument = {};
    }
  }
  if (type.isNull() || !isOfLibrary(type, context))
    return FormatASTNodeDiagnosticArgument(kind, value, modifier, argument, previous, output,
                                           cookie, types);
  std::string text = "'" + spelled(type, context) + "'";
  output.append(text.begin(), text.end());
}

} // namespace

void spellTypesOfLibrary(DiagnosticsEngine &engine, ASTContext &context) {
  engine.SetArgToStringFn(spellArgument, &context);
}

} // namespace tessera::diagnose
