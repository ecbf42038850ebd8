// Lists among the arguments of a launch, `k<<<{4, 2}, {1}>>>(p)`, as objects of their types.
#pragma once

#include "frontend/edit/FileTokens.h"
#include "frontend/edit/Spellings.h"

namespace tessera::frontend {

// From the `<<<` of the launch whose configuration contains a location, at its nesting depth.
Tokens launchAround(Tokens tokens, clang::SourceLocation location);

// Adds the types of the lists.
void changeLaunch(Tokens launch, std::vector<Change> &changes);

} // namespace tessera::frontend
