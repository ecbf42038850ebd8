// A walk over the declarations as written; the bodies of tile code are gone from the text.
#include "frontend/NamedFunctions.h"
#include "frontend/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// The function as it is written: a template of which others are instances.
const FunctionDecl *writtenFunction(const FunctionDecl *function) {
  if (const FunctionTemplateDecl *pattern = function->getPrimaryTemplate())
    function = pattern->getTemplatedDecl();
  return function->getCanonicalDecl();
}

class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(llvm::DenseSet<const FunctionDecl *> &named) : named(named) {}

  bool shouldWalkTypesOfTypeLocs() const { return false; }
  bool TraverseDecl(Decl *declaration) {
    if (!declaration)
      return true;
    const SourceManager &sources = declaration->getASTContext().getSourceManager();
    if (!isa<TranslationUnitDecl>(declaration) &&
        (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
         isTileLibrary(declaration)))
      return true;
    const FunctionDecl *function = declaration->getAsFunction();
    if (!function || !isTileOnly(function))
      return RecursiveASTVisitor::TraverseDecl(declaration);
    if (!isTileKernel(function))
      return true;
    if (auto *pattern = dyn_cast<FunctionTemplateDecl>(declaration))
      for (NamedDecl *parameter : *pattern->getTemplateParameters())
        TraverseDecl(parameter);
    for (ParmVarDecl *parameter : function->parameters())
      TraverseDecl(parameter);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) { return add(reference->getDecl()); }
  bool VisitOverloadExpr(OverloadExpr *reference) {
    for (const NamedDecl *found : reference->decls())
      add(found->getUnderlyingDecl());
    return true;
  }

private:
  bool add(const NamedDecl *declaration) {
    if (const FunctionDecl *function = declaration->getAsFunction();
        function && isTileOnly(function) && !isTileKernel(function))
      named.insert(writtenFunction(function));
    return true;
  }

  llvm::DenseSet<const FunctionDecl *> &named;
};

} // namespace

NamedTileFunctions::NamedTileFunctions(ASTContext &context) {
  Collector(named).TraverseDecl(context.getTranslationUnitDecl());
}

bool NamedTileFunctions::contains(const FunctionDecl *function) const {
  return named.contains(writtenFunction(function));
}

} // namespace tessera::frontend
