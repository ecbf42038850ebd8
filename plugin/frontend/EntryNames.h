// How the end of a program's text, and what is written beside it, names what the program declared.
//
// A spelling tells functions, types and variables of an unnamed namespace from nothing: `::f` is
// the f beside the namespace, where there is one. Within the namespace, opened again, the name is
// its own; there each gets an alias, by a name that no program has.
#pragma once

#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/Type.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class NamespaceDecl;
class Decl;
class TemplateArgument;
} // namespace clang

namespace tessera::frontend {

class EntryNames {
public:
  explicit EntryNames(const clang::ASTContext &context);

  std::string typeOf(clang::QualType type);
  // "&::ns::vadd<1024>", an address.
  std::string addressOf(const clang::FunctionDecl *function);

  const clang::ASTContext &context;
  // The definitions that the names above need, in order.
  std::vector<std::string> aliases;

private:
  std::string templateArguments(const clang::FunctionDecl *function);
  std::string argument(const clang::TemplateArgument &argument, bool includeType);
  std::string qualified(llvm::StringRef printed);
  std::string define(const clang::NamespaceDecl *space, llvm::StringRef name,
                     llvm::StringRef before, llvm::StringRef behind);

  friend class NameQualifier;

  clang::PrintingPolicy policy;
};

// "::ns::vadd<1024>", for people.
std::string qualifiedName(const clang::FunctionDecl *function);

// "::ns::vadd", or in an unnamed namespace "vadd", as its own body names it; of a specialisation
// with its arguments.
std::string nameInBody(const clang::FunctionDecl *kernel);

// The unnamed namespace that a declaration is in, the innermost; null: it is in none.
const clang::NamespaceDecl *unnamedNamespaceOf(const clang::Decl *declaration);

} // namespace tessera::frontend
