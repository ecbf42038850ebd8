// Arrays of tiles on the CPU are C++'s, which looks at no index; checks of bounds do.
#pragma once

#include "frontend/Editor.h"

#include "clang/AST/ASTContext.h"

namespace tessera::frontend {

// all[i]  ->  all[::tessera::host::array_index<decltype((all))>("all", (i))]
void checkArrayIndices(clang::ASTContext &context, Editor &editor);

} // namespace tessera::frontend
