// Launches that no device code runs, and that Clang takes for the device's: outside of functions,
// its parse for a GPU has no execution space; in an unevaluated operand, the enclosing function
// does not matter.
//
//   void f(int n = (k<<<1, 1>>>(p), 2));      template <class T> concept launchable =
//   struct s { int m = (k<<<1, 1>>>(p), 3); };    requires(T *p) { k<<<1, 1>>>(p); };
//
// A parse that meets one is repeated with launches on the device allowed. There Clang uses a
// different configuration function, which is ours; check refuses launches that the device would
// run.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class CUDAKernelCallExpr;
class Diagnostic;
class Expr;
class Sema;
} // namespace clang

namespace tessera::frontend {

// Clang's error for such a launch.
bool isOfOutsideLaunch(const clang::Diagnostic &diagnostic, clang::Sema &sema);

// For a parse that is about to begin; and until it has ended.
void allowOutsideLaunches(clang::CompilerInstance &compiler);
void forbidOutsideLaunches(clang::CompilerInstance &compiler);

// Replaces Clang's functions for launches on the device by ours, whatever the headers declare.
void configureOutsideLaunches(clang::ASTContext &context);

// The program's arguments between the chevrons.
llvm::SmallVector<const clang::Expr *, 4> configurationOf(const clang::CUDAKernelCallExpr *launch);

} // namespace tessera::frontend
