// Calls that select the library's function only by their arguments, when the program declares a
// function of the same name: `add(a, b)` of tiles.
#pragma once

#include "frontend/edit/Editor.h"

#include "clang/AST/ASTContext.h"

namespace tessera::frontend {

// Qualifies them in the code for a CPU, where the library takes tiles by reference: an overload
// that is the worse one for all other targets may be the better one there.
void qualifyLibraryCalls(clang::ASTContext &context, Editor &editor);

} // namespace tessera::frontend
