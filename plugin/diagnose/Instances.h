// The template instance of an error: "matmul<128, 128, 64>, launched at main.cu:40".
#pragma once

#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace tessera::diagnose {

// An instance of a function template, or of a member of a class template, and the location that
// requires it.
struct Instance {
  const clang::FunctionDecl *function;
  clang::SourceLocation location;
};

// The active instantiations, the innermost first.
std::vector<Instance> currentInstances(const clang::Sema &sema);

// One phrase for all of them; empty without any.
std::string describe(const std::vector<Instance> &instances, const clang::ASTContext &context);

// The type of a template's variable in the active instantiation; null without one.
clang::QualType typeInInstance(clang::Sema &sema, const clang::ValueDecl *variable);

} // namespace tessera::diagnose
