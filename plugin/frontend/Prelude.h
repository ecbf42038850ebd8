// The prelude: what stands before the first line of every program, CUDA's declarations and what
// nvcc provides by itself. Parsing it takes longer than a small kernel does, so a precompiled form
// is kept in a folder of the user's cache.
//
// It changes nothing but time: a program sees the same names. Where anything could make the headers
// read otherwise, or the folder cannot be written, the prelude is parsed as before.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

namespace tessera::frontend {

// Lets the invocation read the precompiled prelude, which is made where there is none yet.
void usePrecompiledPrelude(clang::CompilerInvocation &invocation);

// Undoes that: the headers themselves are read.
void dropPrecompiledPrelude(clang::CompilerInvocation &invocation);

// What of a translation unit stands in the program: passes over it leave out the prelude's
// declarations, which are not loaded until they are used.
void limitToProgram(clang::ASTContext &context);

} // namespace tessera::frontend
