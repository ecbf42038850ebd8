// The declarations of one pass and the bodies of its functions, each by its location in the files
// that all passes share. Only the program's own; implicit ones are left out.
#pragma once

#include "frontend/edit/PassText.h"

#include "clang/AST/Decl.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::frontend {

// A body as written, of a function, a member or a lambda.
struct Body {
  const clang::FunctionDecl *function;
  PassText::Range tokens; // including its braces
  std::vector<std::string> labels;
  bool isOfMacro;
};

// A declaration of a namespace or a class.
struct Declared {
  const clang::Decl *declaration;
  PassText::Range tokens;
  bool isMatched = false;             // the other pass has it at the same location
  std::vector<Declared> members = {}; // of namespaces and classes
};

// A location, and an index among the declarations that a macro makes there.
using DeclLocation = std::pair<FileLocation, unsigned>;

// For a template its function; null for other declarations.
const clang::FunctionDecl *functionOf(const clang::Decl *declaration);

// With its scopes; empty without a name.
std::string spellingOfName(const clang::Decl *declaration);

class PassContents {
public:
  explicit PassContents(const Pass &pass);

  // The key by which a declaration matches one of the other pass.
  std::string keyOf(const clang::Decl *declaration) const;
  // See PassText.
  std::vector<std::string> outline(const Declared &one) const {
    return text.outline(one.tokens, bodyRanges);
  }
  // Null if it has no body here.
  const Body *bodyOf(const clang::Decl *declaration) const;
  std::map<DeclLocation, Declared *> byLocation();

  // `visit` returns whether to visit the members of a declaration.
  template <class Visit> static void forEach(std::vector<Declared> &list, Visit visit) {
    for (Declared &one : list)
      if (visit(one))
        forEach(one.members, visit);
  }

  PassText text;
  std::map<FileLocation, Body> bodies;
  std::vector<Declared> declared;

private:
  void addBody(const clang::FunctionDecl *function);
  std::vector<Declared> membersOf(const clang::DeclContext *context) const;
  void addLocations(std::vector<Declared> &list, std::map<DeclLocation, Declared *> &locations,
                    std::map<FileLocation, unsigned> &counts) const;

  std::vector<PassText::Range> bodyRanges;
};

} // namespace tessera::frontend
