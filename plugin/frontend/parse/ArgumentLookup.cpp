// Sema calls an ExternalSemaSource when a look-up fails.
#include "frontend/parse/ArgumentLookup.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace tessera::frontend {
namespace {

using Locations = llvm::DenseSet<SourceLocation>;

bool isKernel(const NamedDecl *declaration) {
  const FunctionDecl *function = declaration->getAsFunction();
  return function && (isTileKernel(function) || function->hasAttr<CUDAGlobalAttr>());
}

class Source : public ExternalSemaSource {
public:
  Source(Sema &sema, Locations &found) : sema(sema), found(found) {}

  bool LookupUnqualified(LookupResult &result, Scope *) override {
    bool isUse = result.getLookupKind() == Sema::LookupOrdinaryName &&
                 !result.isForRedeclaration() && result.getLookupName().isIdentifier();
    if (!isUse || !mayLaunch(result.getNameLoc()))
      return false;
    addKernels(result, sema.Context.getTranslationUnitDecl());
    if (result.empty())
      return false;
    result.resolveKind();
    found.insert(result.getNameLoc());
    return true;
  }

private:
  // Is the name followed by `<<<` or `<`? Names from macros are not examined.
  bool mayLaunch(SourceLocation name) const {
    if (name.isInvalid() || name.isMacroID())
      return name.isValid();
    std::optional<Token> next =
        Lexer::findNextToken(name, sema.getSourceManager(), sema.getLangOpts());
    return next && next->isOneOf(tok::lesslessless, tok::less);
  }

  static void addKernels(LookupResult &result, const DeclContext *scope) {
    for (const Decl *one : scope->decls())
      if (auto *space = dyn_cast<NamespaceDecl>(one)) {
        if (space->isFirstDecl())
          for (NamedDecl *each : space->lookup(result.getLookupName()))
            if (isKernel(each))
              result.addDecl(each);
        addKernels(result, space);
      }
  }

  Sema &sema;
  Locations &found;
};

class Consumer : public SemaConsumer {
public:
  void InitializeSema(Sema &given) override {
    if (!given.getLangOpts().CUDA || sema == &given)
      return;
    sema = &given;
    sema->addExternalSource(llvm::makeIntrusiveRefCnt<Source>(given, found));
  }
  void ForgetSema() override { sema = nullptr; }

  void HandleTranslationUnit(ASTContext &context) override {
    if (sema && !found.empty())
      Launches(*sema, found).TraverseDecl(context.getTranslationUnitDecl());
  }

private:
  class Launches : public RecursiveASTVisitor<Launches> {
  public:
    Launches(Sema &sema, const Locations &found) : sema(sema), found(found) {}
    bool shouldVisitTemplateInstantiations() const { return true; }

    bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) {
      auto *name = dyn_cast<DeclRefExpr>(launch->getCallee()->IgnoreParenImpCasts());
      if (name && found.contains(name->getLocation()) && !isOfArguments(launch, name->getDecl()))
        refuse(name->getLocation(), name->getDecl());
      return true;
    }

  private:
    bool isOfArguments(const CUDAKernelCallExpr *launch, const ValueDecl *kernel) const {
      SmallVector<Expr *> arguments;
      for (const Expr *argument : launch->arguments())
        arguments.push_back(const_cast<Expr *>(argument->IgnoreImplicit()));
      Sema::AssociatedNamespaceSet spaces;
      Sema::AssociatedClassSet classes;
      sema.FindAssociatedClassesAndNamespaces(launch->getBeginLoc(), arguments, spaces, classes);
      const DeclContext *space = kernel->getDeclContext();
      while (space->isInlineNamespace())
        space = space->getParent();
      return spaces.contains(const_cast<DeclContext *>(space)->getPrimaryContext());
    }

    void refuse(SourceLocation location, const ValueDecl *kernel) {
      if (!refused.insert(location).second)
        return;
      std::string name = kernel->getQualifiedNameAsString(), quoted = "'" + name + "'";
      sema.Diag(location, diag::err_undeclared_var_use_suggest)
          << kernel->getDeclName() << quoted << FixItHint::CreateReplacement(location, name);
      sema.Diag(kernel->getLocation(), diag::note_previous_decl) << quoted;
    }

    Sema &sema;
    const Locations &found;
    Locations refused;
  };

  Sema *sema = nullptr;
  Locations found;
};

} // namespace

std::unique_ptr<ASTConsumer> makeArgumentLookup() { return std::make_unique<Consumer>(); }

} // namespace tessera::frontend
