// Tile functions that what stays of a program names: as arguments of its kernels and of its
// classes. Their declarations stay in its text, too.
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::frontend {

class NamedTileFunctions {
public:
  explicit NamedTileFunctions(clang::ASTContext &context);

  // Is it named, or an instance of it?
  bool contains(const clang::FunctionDecl *function) const;

private:
  llvm::DenseSet<const clang::FunctionDecl *> named;
};

} // namespace tessera::frontend
