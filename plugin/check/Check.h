// The rules of the language that a user should see while typing, checked on the AST.
//
// The same consumer runs in the nested compile, in a plain parse with the plugin, and in clangd. It
// reports and changes nothing.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace tessera::check {

struct Options {
  bool allowsExtensions = false;  // --extensions: rules that are given up
  bool isPreambleChecked = false; // what comes from a precompiled header was, when it was made
  bool wantsWarnings = true;
};

std::unique_ptr<clang::ASTConsumer> makeConsumer(const Options &options);

} // namespace tessera::check
