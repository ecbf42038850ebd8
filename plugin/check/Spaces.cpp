// Clang's own rule (host and device) is weaker than the language's: device and constexpr functions
// are not tile functions.
#include "check/Spaces.h"
#include "frontend/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace tessera::check {
namespace {

bool isScalarName(StringRef name) {
  return name.starts_with("__half") || name.starts_with("__nv_bfloat16") ||
         name.starts_with("__nv_tf32") || name.starts_with("__nv_fp8") ||
         name.starts_with("__nv_fp4");
}

bool isExtendedScalar(QualType type) {
  const CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && isScalarName(record->getName());
}

// Operators, conversions and constructors of the extended floating-point types, whose headers know
// nothing of tile code.
bool isExtendedScalarFunction(const FunctionDecl *function) {
  if (auto *method = dyn_cast<CXXMethodDecl>(function);
      method && isScalarName(method->getParent()->getName()))
    return true;
  bool takesOne = llvm::any_of(function->parameters(), [](const ParmVarDecl *parameter) {
    return isExtendedScalar(parameter->getType());
  });
  bool isLibrary =
      function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation());
  return isLibrary && (takesOne || isExtendedScalar(function->getReturnType())) &&
         (function->isOverloadedOperator() || function->getName().starts_with("__"));
}

bool isNamedException(const FunctionDecl *function) {
  if (function->isReservedGlobalPlacementOperator())
    return true;
  if (auto *method = dyn_cast<CXXMethodDecl>(function))
    return method->getParent()->isInStdNamespace() &&
           method->getParent()->getName() == "initializer_list";
  auto *identifier = function->getIdentifier();
  return identifier && llvm::is_contained({"printf", "__assert_fail", "__assertfail", "memcpy",
                                           "memset", "__trap"},
                                          identifier->getName());
}

// Of the compiler, or one of the standard library's that the compiler treats as its own, such as
// std::move.
bool isBuiltin(const FunctionDecl *function) {
  return function->getBuiltinID() &&
         (function->getNameAsString().starts_with("__builtin_") || function->isInStdNamespace());
}

} // namespace

bool isTileCode(const FunctionDecl *function) {
  if (frontend::isTile(function))
    return true;
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
      pattern && frontend::isTile(pattern))
    return true;
  auto *method = dyn_cast<CXXMethodDecl>(function);
  if (!method || !method->getParent()->isLambda())
    return false;
  auto *outer = dyn_cast_or_null<FunctionDecl>(
      method->getParent()->getDeclContext()->getNonClosureAncestor());
  return outer && isTileCode(outer);
}

bool isDeviceCode(const FunctionDecl *function) {
  return (function->hasAttr<CUDAGlobalAttr>() ||
          (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>())) &&
         !isTileCode(function);
}

bool isCallableFromTile(const FunctionDecl *function) {
  return isTileCode(function) || function->isConsteval() || isBuiltin(function) ||
         (function->isImplicit() && !function->getBuiltinID()) || function->isDefaulted() ||
         function->isTrivial() || isNamedException(function) || isExtendedScalarFunction(function);
}

} // namespace tessera::check
