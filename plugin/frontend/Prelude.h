// The prelude: what stands before the first line of every program, CUDA's declarations and what
// nvcc provides by itself. Parsing it takes longer than a small kernel does, so a precompiled form
// is read where there is one (frontend/PrecompiledHeaders.h).
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

namespace tessera::frontend {

// What an invocation reads in its precompiled form: the prelude, and with it the headers that the
// program includes before anything else (frontend/LeadingIncludes.h).
enum class Precompiled { Nothing, Prelude, LeadingIncludes };

// Lets the invocation read what can be, of this at most, and tells what. It is made where there is
// none yet; with leading includes when it is asked for a second time, as few programs begin alike.
Precompiled usePrecompiledPrelude(clang::CompilerInvocation &invocation, Precompiled most);

// Undoes that: the headers themselves are read.
void dropPrecompiledPrelude(clang::CompilerInvocation &invocation);

// Removes the file that could not be read: it is made again when it is asked for.
void removePrecompiledPrelude(const clang::CompilerInvocation &invocation);

// What of a translation unit stands in the program: passes over it leave out the prelude's
// declarations, which are not loaded until they are used.
void limitToProgram(clang::ASTContext &context);

} // namespace tessera::frontend
