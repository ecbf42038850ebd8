// Edits that correct a program, if exactly one does.
#pragma once

#include "diagnose/Operation.h"

#include "clang/Basic/Diagnostic.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace tessera::diagnose {

// The replacement of an operand, and the edits that write it; no edits inside of a macro, except
// around a macro that is the operand, or its end (-INFINITY).
struct Fix {
  std::string text;
  std::vector<clang::FixItHint> edits;
};

class Fixes {
public:
  Fixes(const clang::ASTContext &context, llvm::ArrayRef<const clang::FunctionDecl *> functions)
      : context(context), functions(functions) {}

  // The operand as the user wrote it; empty inside of a macro.
  std::string textOf(const Operand &operand) const;

  // The spelling of the library's namespace at this location: "ct::", or "cuda::tiles::".
  std::string library(const Operation &operation) const;

  // The operand as a value of the element type: a literal of another suffix, or an element_cast.
  Fix convert(const Operation &operation, const Operand &operand, const Element &to) const;

  // The operand as the argument of a cast or a function.
  Fix wrap(const Operand &operand, const std::string &function) const;

  // The token at a location.
  std::string tokenAt(clang::SourceLocation location) const;

  // Edits that insert text after the operand.
  std::vector<clang::FixItHint> behind(const Operand &operand, llvm::StringRef text) const;

private:
  // The operand's range in a file; invalid inside of a macro.
  clang::CharSourceRange rangeOf(const Operand &operand) const;

  const clang::ASTContext &context;
  llvm::ArrayRef<const clang::FunctionDecl *> functions;
};

} // namespace tessera::diagnose
