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
  bool allowsExtensions = false;  // --extensions: disables some rules
  bool isPreambleChecked = false; // code of a precompiled header was checked when it was made
  bool wantsWarnings = true;
  // For a host parse without a device parse (clangd): the device sees the same code, except under
  // these.
  std::shared_ptr<const Conditionals> conditionalsOfHost = nullptr;
};

std::unique_ptr<clang::ASTConsumer> makeConsumer(const Options &options);

} // namespace tessera::check
