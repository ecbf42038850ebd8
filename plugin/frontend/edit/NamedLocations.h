// The names in failed checks on the CPU, where tiles have none: those of operations of tile code,
// by location.
#pragma once

#include "frontend/edit/TextEdits.h"

#include "clang/AST/ASTContext.h"

namespace tessera::frontend {

// Operations with a named operand or result, in source order. A location is that of the call in
// debug information.
std::vector<NamedLocation> namedLocations(clang::ASTContext &context);

} // namespace tessera::frontend
