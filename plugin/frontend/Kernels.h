// Reads from Clang's declarations what Program.h says about kernels and primitives, and how they
// are named in emitted text.
#pragma once

#include "frontend/Program.h"

#include "clang/AST/Decl.h"

namespace tessera::frontend {

ElementType elementTypeOf(clang::QualType type);
Primitive describePrimitive(const clang::FunctionDecl *primitive);
Kernel describeKernel(const clang::FunctionDecl *kernel, llvm::StringRef symbol);
Location locate(const clang::SourceManager &sources, clang::SourceLocation location);

} // namespace tessera::frontend
