// A walk over all instances of the program's functions: a call in a template is edited if every
// instance calls the library's function.
#include "frontend/edit/LibraryCalls.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace tessera::frontend {
namespace {

class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(const SourceManager &sources) : sources(sources) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldWalkTypesOfTypeLocs() const { return false; }
  bool TraverseDecl(Decl *declaration) {
    if (declaration && !isa<TranslationUnitDecl>(declaration) &&
        (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
         isTileLibrary(declaration)))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (const IdentifierInfo *name = function->getIdentifier())
      names.insert(name);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    auto *callee = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreImpCasts());
    auto *function = callee ? dyn_cast<FunctionDecl>(callee->getDecl()) : nullptr;
    if (function && function->getIdentifier() && !callee->hasQualifier())
      calls[callee->getLocation()].push_back(function);
    return true;
  }

  const SourceManager &sources;
  llvm::DenseSet<const IdentifierInfo *> names; // of the program's own functions
  llvm::MapVector<SourceLocation, llvm::SmallVector<const FunctionDecl *, 1>> calls;
};

} // namespace

void qualifyLibraryCalls(ASTContext &context, Editor &editor) {
  Collector collector(context.getSourceManager());
  collector.TraverseDecl(context.getTranslationUnitDecl());
  for (const auto &[location, callees] : collector.calls)
    if (collector.names.contains(callees.front()->getIdentifier()) &&
        llvm::all_of(callees, [](auto *callee) { return isTileLibrary(callee); }))
      editor.insertBefore(location, "__tessera_tiles::");
}

} // namespace tessera::frontend
