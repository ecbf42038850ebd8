// Whether code names one of some declarations: itself, an instance of it, a type by it.
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::frontend {

// Canonical declarations; of templates the patterns.
using DeclarationSet = llvm::DenseSet<const clang::Decl *>;

// The first use that is found; null if there is none.
struct NameUse {
  const clang::NamedDecl *declaration = nullptr;
  clang::SourceLocation place;
  explicit operator bool() const { return declaration; }
};
NameUse findName(const clang::Decl *code, const DeclarationSet &wanted);

// Where a constant is computed: constexpr variables, arguments of templates, extents, assertions.
NameUse findNameInConstants(const clang::Decl *code, const DeclarationSet &wanted);

} // namespace tessera::frontend
