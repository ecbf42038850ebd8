// Two functions are the same if scope, name and type are equal.
#include "frontend/edit/MissingSpecifiers.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

#include <set>

using namespace clang;

namespace tessera::frontend {
namespace {

const FunctionDecl *functionOf(const NamedDecl *declaration) {
  if (auto *pattern = dyn_cast<FunctionTemplateDecl>(declaration))
    return pattern->getTemplatedDecl();
  return dyn_cast<FunctionDecl>(declaration);
}

class Finder {
public:
  explicit Finder(ASTContext &context) : context(context), sources(context.getSourceManager()) {}

  std::vector<MissingSpecifiers> found;

  // Only loaded declarations: precompiled headers do not belong to the program.
  void visit(const DeclContext *scope) {
    for (const Decl *declaration : scope->noload_decls()) {
      if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
          isTileLibrary(declaration))
        continue;
      if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(declaration))
        visit(cast<DeclContext>(declaration));
      else if (auto *named = dyn_cast<NamedDecl>(declaration))
        if (const FunctionDecl *function = functionOf(named))
          visit(function);
    }
  }

private:
  void visit(const FunctionDecl *function) {
    if (function->isImplicit() || isMarked(function))
      return;
    const DeclContext *scope = function->getDeclContext()->getRedeclContext();
    for (const NamedDecl *other : scope->lookup(function->getDeclName()))
      if (const FunctionDecl *tile = functionOf(other); tile && isSame(function, tile))
        return add(function, tile);
  }

  static bool isMarked(const FunctionDecl *function) {
    return isTile(function) || function->hasAttr<CUDADeviceAttr>() ||
           function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDAHostAttr>();
  }

  bool isSame(const FunctionDecl *function, const FunctionDecl *tile) const {
    bool areTemplates = function->getDescribedFunctionTemplate();
    return isTile(tile) && !isTileKernel(tile) &&
           areTemplates == bool(tile->getDescribedFunctionTemplate()) &&
           !(function->doesThisDeclarationHaveABody() && tile->isDefined()) &&
           context.hasSameType(function->getType(), tile->getType());
  }

  void add(const FunctionDecl *function, const FunctionDecl *tile) {
    SourceLocation location = sources.getExpansionLoc(function->getInnerLocStart());
    if (!locations.insert(location).second)
      return;
    found.push_back({location, specifiersOf(tile)});
  }

  ASTContext &context;
  const SourceManager &sources;
  std::set<SourceLocation> locations;
};

} // namespace

std::string specifiersOf(const FunctionDecl *tile) {
  return isTileKernel(tile)              ? "__tile_global__ "
         : tile->hasAttr<CUDAHostAttr>() ? "__host__ __device__ __tile__ "
         : isTileOnly(tile)              ? "__tile__ "
                                         : "__device__ __tile__ ";
}

std::vector<MissingSpecifiers> findMissingSpecifiers(ASTContext &context) {
  Finder finder(context);
  finder.visit(context.getTranslationUnitDecl());
  return finder.found;
}

} // namespace tessera::frontend
