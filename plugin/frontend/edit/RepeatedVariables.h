// `extern __tile__ int v;` in addition to its definition. nvcc, which compiles a unit as a whole,
// turns both into definitions (and refuses two for __device__ variables), if no tile code remains
// that could name the variable before it is defined.
#pragma once

#include "clang/AST/DeclBase.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace tessera::frontend {

class RepeatedVariables {
public:
  explicit RepeatedVariables(clang::ASTContext &context);

  // The end of a declaration that contains only such variables, including this one; invalid
  // otherwise.
  clang::SourceLocation endOf(const clang::VarDecl *variable) const;

private:
  llvm::DenseMap<clang::SourceLocation, clang::SourceLocation> ends; // by the start
};

} // namespace tessera::frontend
