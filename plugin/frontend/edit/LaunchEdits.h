// Launches become calls of the runtime. So do calls of the CUDA runtime that take a kernel.
#pragma once

#include "frontend/edit/Rewrite.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class CUDAKernelCallExpr;
class Expr;
} // namespace clang

namespace tessera::frontend {

// Does a launch name a tile kernel, in every instance?
bool isTileLaunch(const clang::CUDAKernelCallExpr *launch);

class LaunchEdits {
public:
  LaunchEdits(Editor &editor, Target target) : editor(editor), target(target) {}

  void rewriteLaunch(clang::CUDAKernelCallExpr *launch, bool isUnevaluated);
  // A name of a declaration, which may be a function of the CUDA runtime that takes a kernel.
  void rewriteRuntimeCall(const clang::Expr *reference, const clang::NamedDecl *declaration,
                          const clang::DeclarationNameInfo &name);

private:
  Editor &editor;
  // By their chevrons: a type is written once for all that it declares, but visited with each.
  llvm::DenseSet<clang::SourceLocation> rewrittenLaunches;
  Target target;
};

} // namespace tessera::frontend
