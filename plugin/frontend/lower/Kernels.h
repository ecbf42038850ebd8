// Reads the facts of Program.h about kernels and primitives, and their names in generated code,
// from Clang's declarations.
#pragma once

#include "frontend/Program.h"

#include "clang/AST/Decl.h"

namespace tessera::frontend {

ElementType elementTypeOf(clang::QualType type);
Primitive describePrimitive(const clang::FunctionDecl *primitive);
Kernel describeKernel(const clang::FunctionDecl *kernel, llvm::StringRef symbol);
FileLocation locate(const clang::SourceManager &sources, clang::SourceLocation location);

} // namespace tessera::frontend
