// Arrays of tiles on the CPU are C++ arrays without index checks; this adds them for bounds
// checking.
#pragma once

#include "frontend/edit/Editor.h"

#include "clang/AST/ASTContext.h"

namespace tessera::frontend {

// all[i]  ->  all[::tessera::host::array_index<decltype((all))>("all", (i))]
void checkArrayIndices(clang::ASTContext &context, Editor &editor);

} // namespace tessera::frontend
