// Tile functions that what stays of a program names: as arguments of its kernels and of its
// classes, to compute constants, or in operands that are not evaluated, as in sizeof. Their
// declarations stay in its text, too, and the bodies of those that compute.
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::frontend {

class NamedTileFunctions {
public:
  explicit NamedTileFunctions(clang::ASTContext &context);

  // Is it named, or an instance of it?
  bool contains(const clang::FunctionDecl *function) const;
  // Is it, or an instance of it, called where nothing is evaluated?
  bool isOperand(const clang::FunctionDecl *function) const;
  // Is it, or an instance of it, called for a constant?
  bool computes(const clang::FunctionDecl *function) const;

private:
  llvm::DenseSet<const clang::FunctionDecl *> named, computing, operands;
};

} // namespace tessera::frontend
