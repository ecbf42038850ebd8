// Tile functions that the rest of a program names: as arguments of its kernels and classes, in
// constant expressions, or in unevaluated operands such as sizeof. Their declarations stay in the
// output, too, and the bodies of those in constant expressions.
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::frontend {

class NamedTileFunctions {
public:
  explicit NamedTileFunctions(clang::ASTContext &context);

  // Is it, or an instance of it, named?
  bool contains(const clang::FunctionDecl *function) const;
  // Is it, or an instance of it, called in an unevaluated operand?
  bool isOperand(const clang::FunctionDecl *function) const;
  // Is it, or an instance of it, called in a constant expression?
  bool computes(const clang::FunctionDecl *function) const;

private:
  llvm::DenseSet<const clang::FunctionDecl *> named, computing, operands;
};

} // namespace tessera::frontend
