// Kernels that only their arguments find: `k<<<1, 1>>>(ns::value)` with k in ns.
//
// Clang looks into the namespaces of arguments where `(` follows a name, and here `<<<` does. Where
// it finds nothing else of the name, it gets the kernels of that name in all namespaces; when the
// program is parsed, those that were chosen and that no argument leads to are errors as before. In
// the program's new text a launch is a call, whose compiler looks by itself.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace tessera::frontend {

// Before all other consumers of a parse.
std::unique_ptr<clang::ASTConsumer> makeArgumentLookup();

} // namespace tessera::frontend
