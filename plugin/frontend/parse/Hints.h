// The attribute `cutile::hint(ARCH, KEY = VALUE, ...)`: hints for one architecture, 0 for all.
//
// Clang drops the arguments of unknown attributes; they are parsed again from the source.
#pragma once

#include "frontend/Program.h"
#include "target/Target.h"

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

// What a hint lacks; in the order of the diagnostic's alternatives.
enum class HintFault : unsigned {
  NoArchitecture,
  NoPair,
  IncompletePair,
  Text,
  NotConstant,
  Undeclared,
  NotInteger
};

// The annotation that represents a hint in the AST.
clang::Attr *annotateHint(clang::Sema &sema, const clang::ParsedAttr &attribute);
std::optional<HintFault> hintFaultOf(const clang::AnnotateAttr *annotation);
// The undeclared name; empty for other faults.
llvm::StringRef nameInHintFault(const clang::AnnotateAttr *annotation);

// An unknown hint key, and the most similar known one; empty if none is near.
struct UnknownHint {
  clang::SourceRange location;
  std::string name, meant;
};
std::vector<UnknownHint> unknownHintsOf(const clang::AnnotateAttr *annotation,
                                        const clang::ASTContext &context);

// For an instance of a kernel: the hints whose value is a template argument that is not an integer,
// like `N` in `k<2.5>`.
std::vector<clang::SourceLocation> hintsOfOtherTypes(const clang::FunctionDecl *kernel);

// The hints on a kernel whose values are sums and products of numbers, of its template parameters
// and of constants that are named without a scope.
std::vector<Hint> hintsOf(const clang::FunctionDecl *kernel);

// Those that apply to the target: a hint for its architecture takes precedence over one for all.
std::vector<Hint> hintsFor(const GpuTarget &target, llvm::ArrayRef<Hint> hints);

} // namespace tessera::frontend
