// A variable that host code names before the definition stays declared: there nvcc reports what it
// reports for the original program. So does one that is defined by a qualified name.
#include "frontend/edit/RepeatedVariables.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// An instance's is that of its template.
const VarDecl *canonical(const VarDecl *variable) {
  if (const VarDecl *pattern = variable->getTemplateInstantiationPattern())
    variable = pattern;
  return variable->getCanonicalDecl();
}

class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(const SourceManager &sources) : sources(sources) {}

  // The variables of each declaration, by its start.
  llvm::MapVector<SourceLocation, std::vector<const VarDecl *>> declared;
  llvm::DenseMap<const VarDecl *, SourceLocation> firstUses;
  std::vector<SourceLocation> typesWithin; // defined in a declaration of variables

  bool TraverseDecl(Decl *declaration) {
    const FunctionDecl *function = declaration ? declaration->getAsFunction() : nullptr;
    if (!declaration || (function && isTileOnly(function)))
      return true;
    bool isUnit = isa<TranslationUnitDecl>(declaration);
    if (!isUnit && (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
                    isTileLibrary(declaration)))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->isFileVarDecl() && !variable->isStaticDataMember())
      declared[variable->getOuterLocStart()].push_back(variable);
    return true;
  }
  bool VisitTagDecl(TagDecl *type) {
    if (type->isThisDeclarationADefinition() && type->isEmbeddedInDeclarator())
      typesWithin.push_back(type->getLocation());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      firstUses.try_emplace(canonical(variable), reference->getLocation());
    return true;
  }

private:
  const SourceManager &sources;
};

} // namespace

RepeatedVariables::RepeatedVariables(ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  Finder found(sources);
  found.TraverseDecl(context.getTranslationUnitDecl());
  auto isBefore = [&](SourceLocation a, SourceLocation b) {
    return sources.isBeforeInTranslationUnit(a, b);
  };
  auto isRepeated = [&](const VarDecl *variable) {
    const VarDecl *definition = variable->getDefinition();
    if (!isTile(variable) || variable->isThisDeclarationADefinition() || !definition ||
        definition->getQualifier()) // which names an earlier declaration
      return false;
    auto use = found.firstUses.find(canonical(variable));
    return use == found.firstUses.end() || isBefore(definition->getLocation(), use->second);
  };
  for (auto &[begin, variables] : found.declared) {
    SourceLocation end = variables.back()->getEndLoc();
    auto isWithin = [&, begin = begin](SourceLocation type) {
      return isBefore(begin, type) && isBefore(type, end);
    };
    if (llvm::all_of(variables, isRepeated) && llvm::none_of(found.typesWithin, isWithin))
      ends[begin] = end;
  }
}

SourceLocation RepeatedVariables::endOf(const VarDecl *variable) const {
  return ends.lookup(variable->getOuterLocStart());
}

} // namespace tessera::frontend
