// Kernels that only argument-dependent lookup finds: `k<<<1, 1>>>(ns::value)` with k in ns.
//
// Clang performs it for a name before `(`, and here the name is before `<<<`. If Clang finds
// nothing else of the name, it gets the kernels of that name in all namespaces; after the parse,
// chosen kernels that no argument leads to are errors as before. In the rewritten code a launch is
// a call, for which the compiler does the lookup itself.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace tessera::frontend {

// Before all other consumers of a parse.
std::unique_ptr<clang::ASTConsumer> makeArgumentLookup();

} // namespace tessera::frontend
