// Does code name one of some declarations: itself, an instance of it, a type that uses it?
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::frontend {

// Canonical declarations; for templates the patterns.
using DeclarationSet = llvm::DenseSet<const clang::Decl *>;

// The first use; null if there is none.
struct NameUse {
  const clang::NamedDecl *declaration = nullptr;
  clang::SourceLocation location;
  explicit operator bool() const { return declaration; }
};
NameUse findName(const clang::Decl *code, const DeclarationSet &wanted);

// In constant expressions: constexpr variables, template arguments, extents, assertions.
NameUse findNameInConstants(const clang::Decl *code, const DeclarationSet &wanted);

} // namespace tessera::frontend
