// `extern __tile__ int v;` beside its definition. nvcc, which compiles a unit as a whole, makes two
// definitions of them (and so refuses the two for __device__ variables), where no tile code is left
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

  // The end of a declaration of such variables and nothing else, of which this is one; invalid for
  // all others.
  clang::SourceLocation endOf(const clang::VarDecl *variable) const;

private:
  llvm::DenseMap<clang::SourceLocation, clang::SourceLocation> ends; // by the begin
};

} // namespace tessera::frontend
