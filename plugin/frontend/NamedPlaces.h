// The names that a failed check tells on the CPU, where tiles have none: of the operations of tile
// code, by their places.
#pragma once

#include "frontend/TextEdits.h"

#include "clang/AST/ASTContext.h"

namespace tessera::frontend {

// Operations of which something has a name, in the order of the source. A place is the one that
// debug information gives a call.
std::vector<NamedPlace> namedPlaces(clang::ASTContext &context);

} // namespace tessera::frontend
