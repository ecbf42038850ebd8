// Which instance of a template an error is in: "matmul<128, 128, 64>, launched at main.cu:40".
#pragma once

#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace tessera::diagnose {

// An instance of a function template, or of a member of a class template, and what asked for it.
struct Instance {
  const clang::FunctionDecl *function;
  clang::SourceLocation place;
};

// What is being instantiated at the moment, the innermost first.
std::vector<Instance> currentInstances(const clang::Sema &sema);

// One phrase for all of them; empty without any.
std::string describe(const std::vector<Instance> &instances, const clang::ASTContext &context);

// The type that a variable of a template has in the instance that is being made; null without one.
clang::QualType typeInInstance(clang::Sema &sema, const clang::ValueDecl *variable);

} // namespace tessera::diagnose
