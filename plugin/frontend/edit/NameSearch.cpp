// One visitor, which counts the constants around the current node.
#include "frontend/edit/NameSearch.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tessera::frontend {
namespace {

class Names : public RecursiveASTVisitor<Names> {
public:
  Names(const DeclarationSet &wanted, bool inConstants)
      : wanted(wanted), inConstants(inConstants) {}

  NameUse found;

  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseConstantExpr(ConstantExpr *constant) {
    ++constants;
    RecursiveASTVisitor::TraverseConstantExpr(constant);
    --constants;
    return true;
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &argument) {
    ++constants;
    RecursiveASTVisitor::TraverseTemplateArgumentLoc(argument);
    --constants;
    return true;
  }
  bool TraverseStaticAssertDecl(StaticAssertDecl *assertion) {
    ++constants;
    RecursiveASTVisitor::TraverseStaticAssertDecl(assertion);
    --constants;
    return true;
  }
  bool TraverseVarDecl(VarDecl *variable) {
    bool isConstant =
        variable->isConstexpr() || (variable->getType().isConstQualified() &&
                                    variable->getType()->isIntegralOrEnumerationType());
    constants += isConstant;
    RecursiveASTVisitor::TraverseVarDecl(variable);
    constants -= isConstant;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    return see(reference->getDecl(), reference->getLocation());
  }
  bool VisitMemberExpr(MemberExpr *reference) {
    return see(reference->getMemberDecl(), reference->getMemberLoc());
  }
  bool VisitOverloadExpr(OverloadExpr *reference) {
    for (const NamedDecl *each : reference->decls())
      see(each->getUnderlyingDecl(), reference->getNameLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    return see(construction->getConstructor(), construction->getLocation());
  }
  bool VisitTypeLoc(TypeLoc type) {
    if (auto *alias = type.getType()->getAs<TypedefType>())
      see(alias->getDecl(), type.getBeginLoc());
    if (auto *instance = type.getType()->getAs<TemplateSpecializationType>())
      see(instance->getTemplateName().getAsTemplateDecl(), type.getBeginLoc());
    return see(type.getType()->getAsTagDecl(), type.getBeginLoc());
  }

private:
  bool see(const NamedDecl *declaration, SourceLocation location) {
    if (!declaration || found || (inConstants && constants == 0))
      return true;
    const Decl *written = declaration->getCanonicalDecl();
    if (const FunctionDecl *function = const_cast<Decl *>(written)->getAsFunction())
      if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern(false))
        written = pattern->getCanonicalDecl();
    if (wanted.contains(written)) {
      found = {declaration, location};
    }
    return true;
  }

  const DeclarationSet &wanted;
  const bool inConstants;
  unsigned constants = 0; // around the current node
};

NameUse find(const Decl *code, const DeclarationSet &wanted, bool inConstants) {
  Names names(wanted, inConstants);
  names.TraverseDecl(const_cast<Decl *>(code));
  return names.found;
}

} // namespace

NameUse findName(const Decl *code, const DeclarationSet &wanted) {
  return find(code, wanted, /*inConstants=*/false);
}

NameUse findNameInConstants(const Decl *code, const DeclarationSet &wanted) {
  return find(code, wanted, /*inConstants=*/true);
}

} // namespace tessera::frontend
