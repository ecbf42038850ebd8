// Launches that no code of the device runs, and that Clang takes for the device's: outside of
// functions its parse for a GPU is in no execution space, and in an operand that nothing evaluates
// the function around it says nothing.
//
//   void f(int n = (k<<<1, 1>>>(p), 2));      template <class T> concept launchable =
//   struct s { int m = (k<<<1, 1>>>(p), 3); };    requires(T *p) { k<<<1, 1>>>(p); };
//
// A parse that has met one goes on once more with launches of the device allowed. There Clang gives
// a launch another function for its configuration, which is ours; check refuses those that the
// device would run.
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

// The error that Clang has for such a launch.
bool isOfOutsideLaunch(const clang::Diagnostic &diagnostic, clang::Sema &sema);

// For a parse that is about to begin; and until it has ended.
void allowOutsideLaunches(clang::CompilerInstance &compiler);
void forbidOutsideLaunches(clang::CompilerInstance &compiler);

// Clang's functions for launches on the device are ours, whatever the headers have declared.
void configureOutsideLaunches(clang::ASTContext &context);

// What the program writes between the chevrons.
llvm::SmallVector<const clang::Expr *, 4> configurationOf(const clang::CUDAKernelCallExpr *launch);

} // namespace tessera::frontend
