// Redeclarations without the specifiers of a `__tile__` function that they declare again: nvcc
// takes them for the same function, Clang for another one, of the host.
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
  clang::SourceLocation place; // in a file, where the declaration begins
  std::string text;            // "__host__ __tile__ "
};

// The specifiers of a tile function, with a blank behind each.
std::string specifiersOf(const clang::FunctionDecl *tile);

// Those of the program, also of declarations that Clang has refused.
std::vector<MissingSpecifiers> findMissingSpecifiers(clang::ASTContext &context);

} // namespace tessera::frontend
