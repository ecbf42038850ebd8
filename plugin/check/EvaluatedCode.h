// A visitor of the evaluated code in a body: not of unevaluated code in it, such as types and the
// operands of sizeof, noexcept and requires.
#pragma once

#include "clang/AST/RecursiveASTVisitor.h"

namespace tessera::check {

// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): Calls.cpp has a class in between
template <class Derived> class EvaluatedCode : public clang::RecursiveASTVisitor<Derived> {
public:
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }
  bool TraverseConceptSpecializationExpr(clang::ConceptSpecializationExpr *) { return true; }
  // Constants by their location: a case, an extent, the condition of `if constexpr`.
  bool TraverseConstantExpr(clang::ConstantExpr *) { return true; }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) { return true; }
};

} // namespace tessera::check
