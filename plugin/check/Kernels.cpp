// Rules for the declaration of a kernel.
#include "check/Rules.h"
#include "frontend/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {
namespace {

void checkSpecifiers(const FunctionDecl *kernel, Reporter &report) {
  const SourceManager &sources = kernel->getASTContext().getSourceManager();
  llvm::SmallVector<SourceLocation> places;
  for (auto *attribute : kernel->specific_attrs<CUDAGlobalAttr>())
    if (!attribute->isInherited() && attribute->getLocation().isValid())
      places.push_back(sources.getExpansionLoc(attribute->getLocation()));
  if (llvm::any_of(places, [&](SourceLocation place) { return place != places.front(); }))
    report(kernel->getLocation(), Id::KernelAlsoGlobal, kernel);
  const FunctionDecl *previous = kernel->getPreviousDecl();
  if (previous && !frontend::isTileKernel(previous)) {
    report(kernel->getLocation(), Id::KernelRedeclared, kernel);
    report(previous->getLocation(), Id::PreviousDeclaration);
  }
}

void checkForm(const FunctionDecl *kernel, Reporter &report) {
  SourceLocation place = kernel->getLocation();
  if (isa<CXXMethodDecl>(kernel))
    report(place, Id::KernelIsMember, kernel);
  if (kernel->getFriendObjectKind() != Decl::FOK_None && kernel->doesThisDeclarationHaveABody())
    report(place, Id::KernelFriend, kernel);
  if (kernel->getReturnType()->getContainedDeducedType())
    report(place, Id::KernelReturns, kernel);
  if (kernel->isConstexprSpecified() || kernel->isConsteval())
    report(place, Id::KernelIsConstexpr, kernel, kernel->isConsteval());
  if (kernel->isVariadic())
    report(place, Id::KernelHasEllipsis, kernel);
  if (auto *type = kernel->getType()->getAs<FunctionProtoType>();
      type && type->hasNoexceptExceptionSpec())
    report(place, Id::KernelIsNoexcept, kernel);
}

bool isScalarClass(const CXXRecordDecl *record) {
  static constexpr llvm::StringLiteral names[] = {
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, ...) #CLASS,
#include "tessera/elements.def"
  };
  return llvm::is_contained(names, record->getName());
}

void checkParameters(const FunctionDecl *kernel, Reporter &report) {
  for (const ParmVarDecl *parameter : kernel->parameters()) {
    QualType type = parameter->getType().getCanonicalType();
    if (const CXXRecordDecl *record = type->getAsCXXRecordDecl(); record && !isScalarClass(record))
      report(parameter->getLocation(), Id::KernelParameterIsClass, parameter, kernel,
             parameter->getType());
    if (type->isVectorType())
      report(parameter->getLocation(), Id::KernelParameterIsClass, parameter, kernel,
             parameter->getType());
    if (type->isSpecificBuiltinType(BuiltinType::Int128) ||
        type->isSpecificBuiltinType(BuiltinType::UInt128))
      report(parameter->getLocation(), Id::KernelParameterIsWide, parameter, kernel,
             parameter->getType());
  }
}

void checkPacks(const FunctionDecl *kernel, Reporter &report) {
  const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
  if (!pattern)
    return;
  const TemplateParameterList *parameters = pattern->getTemplateParameters();
  unsigned packs = llvm::count_if(
      *parameters, [](const NamedDecl *parameter) { return parameter->isParameterPack(); });
  if (packs > 1)
    report(kernel->getLocation(), Id::KernelPacks, kernel);
  else if (packs == 1 && !parameters->asArray().back()->isParameterPack())
    report(kernel->getLocation(), Id::KernelPackIsNotLast, kernel);
}

} // namespace

void checkKernel(const FunctionDecl *kernel, Reporter &report) {
  checkSpecifiers(kernel, report);
  checkForm(kernel, report);
  checkParameters(kernel, report);
  checkPacks(kernel, report);
}

} // namespace tessera::check
