// A walk over the declarations as written; the output does not contain the bodies of tile code.
#include "frontend/edit/NamedFunctions.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace tessera::frontend {
namespace {

using Functions = llvm::SmallSetVector<const FunctionDecl *, 8>;

// The function as written: the template of an instance, the member of a class template.
const FunctionDecl *writtenFunction(const FunctionDecl *function) {
  if (const FunctionDecl *pattern =
          function->getTemplateInstantiationPattern(/*ForDefinition=*/false))
    function = pattern;
  if (const FunctionTemplateDecl *pattern = function->getPrimaryTemplate())
    function = pattern->getTemplatedDecl();
  return function->getCanonicalDecl();
}

class Collector : public RecursiveASTVisitor<Collector> {
public:
  Collector(llvm::DenseSet<const FunctionDecl *> &named, Functions &called,
            llvm::DenseSet<const FunctionDecl *> &operands)
      : named(named), called(called), operands(operands) {}

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
    if (!function || !isTileOnly(function)) {
      if (function && function->getPrimaryTemplate()) // in a different space than its template
        add(function->getPrimaryTemplate());
      return RecursiveASTVisitor::TraverseDecl(declaration);
    }
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
  bool VisitMemberExpr(MemberExpr *reference) { return add(reference->getMemberDecl()); }
  bool VisitOverloadExpr(OverloadExpr *reference) {
    for (const NamedDecl *found : reference->decls())
      add(found->getUnderlyingDecl());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (auto *overloads = dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts())) {
      for (const NamedDecl *found : overloads->decls())
        addCalled(found->getUnderlyingDecl());
      return true;
    }
    return addCalled(call->getCalleeDecl());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    return add(construction->getConstructor()) && addCalled(construction->getConstructor());
  }

private:
  bool add(const NamedDecl *declaration) {
    if (const FunctionDecl *function = declaration->getAsFunction();
        function && isTileOnly(function) && !isTileKernel(function))
      named.insert(writtenFunction(function));
    return true;
  }

  bool addCalled(const Decl *declaration) {
    const FunctionDecl *function = declaration ? declaration->getAsFunction() : nullptr;
    if (!function || !isTileOnly(function) || isTileKernel(function))
      return true;
    if (const FunctionDecl *written = writtenFunction(function); written->isConstexpr())
      called.insert(written);
    else
      operands.insert(written);
    return true;
  }

  llvm::DenseSet<const FunctionDecl *> &named;
  Functions &called;
  llvm::DenseSet<const FunctionDecl *> &operands;
};

} // namespace

NamedTileFunctions::NamedTileFunctions(ASTContext &context) {
  Functions called;
  Collector collector(named, called, operands);
  collector.TraverseDecl(context.getTranslationUnitDecl());
  for (size_t i = 0; i < called.size(); ++i) { // grows: their bodies stay
    const FunctionDecl *definition = called[i];
    if (definition->isDefined(definition))
      collector.TraverseStmt(definition->getBody());
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *initializer : constructor->inits())
        collector.TraverseStmt(initializer->getInit());
  }
  computing.insert(called.begin(), called.end());
}

bool NamedTileFunctions::contains(const FunctionDecl *function) const {
  return named.contains(writtenFunction(function));
}

bool NamedTileFunctions::isOperand(const FunctionDecl *function) const {
  return operands.contains(writtenFunction(function));
}

bool NamedTileFunctions::computes(const FunctionDecl *function) const {
  return computing.contains(writtenFunction(function));
}

} // namespace tessera::frontend
