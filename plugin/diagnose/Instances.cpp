// Functions of the library are skipped: the user did not write them.
#include "diagnose/Instances.h"
#include "diagnose/TileTypes.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tessera::diagnose {

std::vector<Instance> currentInstances(const Sema &sema) {
  std::vector<Instance> instances;
  for (const auto &step : llvm::reverse(sema.CodeSynthesisContexts))
    if (step.Kind == Sema::CodeSynthesisContext::TemplateInstantiation)
      if (auto *function = dyn_cast_or_null<FunctionDecl>(step.Entity);
          function && !frontend::isTileLibrary(function))
        instances.push_back({function, step.PointOfInstantiation});
  return instances;
}

namespace {

std::string nameOf(const FunctionDecl *function, const ASTContext &context) {
  auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method && method->getParent()->isLambda())
    return "a lambda";
  std::string name = function->getNameAsString();
  const TemplateArgumentList *arguments = function->getTemplateSpecializationArgs();
  if (!arguments && method)
    if (auto *parent = dyn_cast<ClassTemplateSpecializationDecl>(method->getParent()))
      return print(context.getCanonicalTagType(parent), context) + "::" + name;
  if (!arguments)
    return name;
  return name + print(arguments->asArray(), context);
}

std::string locationOf(SourceLocation location, const ASTContext &context) {
  PresumedLoc loc = context.getSourceManager().getPresumedLoc(location);
  if (loc.isInvalid())
    return "?";
  return llvm::sys::path::filename(loc.getFilename()).str() + ":" + std::to_string(loc.getLine());
}

} // namespace

std::string describe(const std::vector<Instance> &instances, const ASTContext &context) {
  std::string text;
  for (const Instance &instance : instances) {
    bool isKernel = frontend::isTileKernel(instance.function);
    text += (text.empty() ? "" : ", in ") + nameOf(instance.function, context) + ", " +
            (isKernel ? "launched" : "called") + " at " + locationOf(instance.location, context);
    if (isKernel)
      break;
  }
  return text;
}

QualType typeInInstance(Sema &sema, const ValueDecl *variable) {
  if (!variable || !sema.CurrentInstantiationScope)
    return {};
  auto *found = sema.CurrentInstantiationScope->getInstantiationOfIfExists(variable);
  auto *instance = found ? dyn_cast_or_null<ValueDecl>(dyn_cast<Decl *>(*found)) : nullptr;
  return instance ? instance->getType() : QualType();
}

} // namespace tessera::diagnose
