// How code after the program's own names the program's declarations.
//
// No spelling distinguishes members of an unnamed namespace: `::f` is an f outside of it, if there
// is one. Inside the reopened namespace the name refers to the member; there each gets an alias,
// with a name that no program uses.
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

// "::ns::vadd", or in an unnamed namespace "vadd", as in its own body; a specialisation's has its
// arguments.
std::string nameInBody(const clang::FunctionDecl *kernel);

// The innermost unnamed namespace of a declaration, or null.
const clang::NamespaceDecl *unnamedNamespaceOf(const clang::Decl *declaration);

} // namespace tessera::frontend
