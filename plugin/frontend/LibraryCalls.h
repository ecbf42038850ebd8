// Calls that mean the library's function because of their arguments alone, beside a function of the
// program's own that has the same name: `add(a, b)` of tiles.
#pragma once

#include "frontend/Editor.h"

#include "clang/AST/ASTContext.h"

namespace tessera::frontend {

// Qualifies them in the text for a CPU, where the library takes tiles by reference: an overload
// that is the worse one for all other targets may be the better one there.
void qualifyLibraryCalls(clang::ASTContext &context, Editor &editor);

} // namespace tessera::frontend
