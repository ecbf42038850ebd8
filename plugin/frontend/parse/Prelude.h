// The prelude: the declarations before the first line of every program, CUDA's and nvcc's
// built-ins. Parsing it takes longer than parsing a small kernel, so a precompiled form is read if
// there is one (frontend/parse/PrecompiledHeaders.h).
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

namespace tessera::frontend {

// What an invocation reads precompiled: the prelude, and the headers that the program includes
// before anything else (frontend/parse/LeadingIncludes.h).
enum class Precompiled { Nothing, Prelude, LeadingIncludes };

// Makes the invocation read as much as possible precompiled, at most this, and returns what. A
// missing form is made; with leading includes at the second request, as few programs start alike.
Precompiled usePrecompiledPrelude(clang::CompilerInvocation &invocation, Precompiled most);

// Undoes it: the headers themselves are read.
void dropPrecompiledPrelude(clang::CompilerInvocation &invocation);

// Removes the unreadable file: the next request makes it again.
void removePrecompiledPrelude(const clang::CompilerInvocation &invocation);

// The part of a translation unit that belongs to the program: passes over it skip the prelude's
// declarations, which are loaded on use.
void limitToProgram(clang::ASTContext &context);

} // namespace tessera::frontend
