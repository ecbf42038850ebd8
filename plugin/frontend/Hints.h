// The attribute `cutile::hint(ARCH, KEY = VALUE, ...)`: advice for one architecture, 0 for all.
//
// Clang drops the arguments of attributes that it does not know; they are read again from the text.
#pragma once

#include "frontend/Program.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

#include <optional>
#include <string>
#include <vector>

namespace clang {
class ParsedAttr;
class Sema;
} // namespace clang

namespace tessera::frontend {

// What a hint must have and lacks; in the order of the diagnostic's alternatives.
enum class HintFault : unsigned {
  NoArchitecture,
  NoPair,
  IncompletePair,
  Text,
  NotConstant,
  Undeclared,
  NotInteger
};

// The annotation that stands for a hint in the AST.
clang::Attr *annotateHint(clang::Sema &sema, const clang::ParsedAttr &attribute);
std::optional<HintFault> hintFaultOf(const clang::AnnotateAttr *annotation);
// The name that is not declared; empty for other faults.
llvm::StringRef nameInHintFault(const clang::AnnotateAttr *annotation);

// A key that no hint has, and the one that may be meant; empty where none is near.
struct UnknownHint {
  clang::SourceRange place;
  std::string name, meant;
};
std::vector<UnknownHint> unknownHintsOf(const clang::AnnotateAttr *annotation,
                                        const clang::ASTContext &context);

// Of a kernel that is an instance: where a hint's value is a template argument that is no
// integer, as `N` is in `k<2.5>`.
std::vector<clang::SourceLocation> hintsOfOtherTypes(const clang::FunctionDecl *kernel);

// The hints on a kernel whose values are sums and products of numbers, of its template parameters
// and of constants that are named without a scope.
std::vector<Hint> hintsOf(const clang::FunctionDecl *kernel);

} // namespace tessera::frontend
