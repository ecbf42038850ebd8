// The rules of the language that a user should see while typing, checked on the AST.
//
// The same consumer runs in the nested compile, in a plain parse with the plugin, and in clangd. It
// reports and changes nothing.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceLocation.h"

#include <memory>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace tessera::check {

// From #if to #endif, each.
using Conditionals = std::vector<clang::SourceRange>;
std::shared_ptr<const Conditionals> recordConditionals(clang::Preprocessor &preprocessor);

struct Options {
  bool allowsExtensions = false;  // --extensions: rules that are given up
  bool isPreambleChecked = false; // what comes from a precompiled header was, when it was made
  bool wantsWarnings = true;
  // Where the parse is the host's and no other comes (clangd): the device sees what it sees, but
  // for what stands under these.
  std::shared_ptr<const Conditionals> conditionalsOfHost = nullptr;
};

std::unique_ptr<clang::ASTConsumer> makeConsumer(const Options &options);

} // namespace tessera::check
