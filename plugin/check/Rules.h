// The rules by what they look at. Each reports and returns nothing; Check.cpp decides what is
// looked at.
#pragma once

#include "check/Diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::check {

// The declaration of a kernel: specifiers, return type, parameters, template parameters.
void checkKernel(const clang::FunctionDecl *kernel, Reporter &report);

// The body of a function of tile code, lambdas in it included.
void checkTileBody(const clang::FunctionDecl *function, Reporter &report);

// The body of a SIMT or host function: what it calls of tile code, and what it launches.
void checkOtherBody(const clang::FunctionDecl *function, Reporter &report);

// A variable of tile code that outlives its block: __tile__, or a static local of a tile function.
void checkTileVariable(const clang::VarDecl *variable, Reporter &report);

// Calls of tile functions among each other: no function calls itself, directly or not.
class RecursionRule {
public:
  void addCalls(const clang::FunctionDecl *function);
  void finish(Reporter &report) const;

private:
  llvm::MapVector<const clang::FunctionDecl *, llvm::SmallVector<const clang::FunctionDecl *>>
      calls;
};

} // namespace tessera::check
