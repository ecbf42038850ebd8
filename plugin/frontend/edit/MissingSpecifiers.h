// Redeclarations of a `__tile__` function without its specifiers: nvcc takes them for the same
// function, Clang for a different host function.
#pragma once

#include "clang/Basic/SourceLocation.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace tessera::frontend {

struct MissingSpecifiers {
  clang::SourceLocation location; // in a file, the start of the declaration
  std::string text;               // "__host__ __tile__ "
};

// The specifiers of a tile function, each followed by a space.
std::string specifiersOf(const clang::FunctionDecl *tile);

// The program's, including declarations that Clang has rejected.
std::vector<MissingSpecifiers> findMissingSpecifiers(clang::ASTContext &context);

} // namespace tessera::frontend
