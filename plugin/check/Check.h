// The rules of the language that a user should see while typing, checked on the AST.
//
// The same consumer runs in the nested compile, in a plain parse with the plugin, and in clangd. It
// reports and changes nothing.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace tessera::check {

// The extensions of the language (--extensions) are rules that are given up.
std::unique_ptr<clang::ASTConsumer> makeConsumer(bool allowsExtensions);

} // namespace tessera::check
