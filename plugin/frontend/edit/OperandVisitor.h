// A visitor of code as written that knows whether the visited code is evaluated. It is not in
// types, in requirements, and in operands of sizeof, noexcept and typeid.
#pragma once

#include "clang/AST/RecursiveASTVisitor.h"

#include <utility>

namespace tessera::frontend {

// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): classes within a visitor derive, too
template <class Derived> class OperandVisitor : public clang::RecursiveASTVisitor<Derived> {
public:
  using Base = clang::RecursiveASTVisitor<Derived>;

  bool shouldWalkTypesOfTypeLocs() const { return false; }
  // A parameter's default argument, and a lambda's body, are separate code.
  bool TraverseDecl(clang::Decl *declaration) {
    return with(false, [&] { return Base::TraverseDecl(declaration); });
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    return with(false, [&] { return Base::TraverseLambdaExpr(lambda); });
  }
  bool TraverseTypeLoc(clang::TypeLoc type, bool qualifier = true) {
    return with(true, [&] { return Base::TraverseTypeLoc(type, qualifier); });
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *operation) {
    return with(true, [&] { return Base::TraverseUnaryExprOrTypeTraitExpr(operation); });
  }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *operation) {
    return with(true, [&] { return Base::TraverseCXXNoexceptExpr(operation); });
  }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr *operation) {
    return with(!operation->isPotentiallyEvaluated(),
                [&] { return Base::TraverseCXXTypeidExpr(operation); });
  }
  bool TraverseRequiresExpr(clang::RequiresExpr *requirement) {
    return with(true, [&] { return Base::TraverseRequiresExpr(requirement); });
  }

protected:
  bool isUnevaluated = false;

private:
  template <class Traverse> bool with(bool unevaluated, Traverse traverse) {
    bool was = std::exchange(isUnevaluated, unevaluated);
    bool result = traverse();
    isUnevaluated = was;
    return result;
  }
};

} // namespace tessera::frontend
