// What one pass declares, and the bodies of its functions, each by its place in the text that all
// passes share. Only the program's own; what is implicit is left out.
#pragma once

#include "frontend/PassText.h"

#include "clang/AST/Decl.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::frontend {

// A body as it is written, of a function, a member or a lambda.
struct Body {
  const clang::FunctionDecl *function;
  PassText::Range tokens; // its braces among them
  std::vector<std::string> labels;
  bool isOfMacro;
};

// A declaration of a namespace or a class.
struct Declared {
  const clang::Decl *declaration;
  PassText::Range tokens;
  bool isMatched = false;             // the other pass has it in the same place
  std::vector<Declared> members = {}; // of namespaces and classes
};

// A place, and which of the declarations that a macro makes there.
using DeclPlace = std::pair<FilePlace, unsigned>;

// Of a template the function that it makes; null for what is none.
const clang::FunctionDecl *functionOf(const clang::Decl *declaration);

// With its scopes; empty for what has no name.
std::string spellingOfName(const clang::Decl *declaration);

class PassContents {
public:
  explicit PassContents(const Pass &pass);

  // What a declaration of the other pass is the same thing by.
  std::string keyOf(const clang::Decl *declaration) const;
  // See PassText.
  std::vector<std::string> outline(const Declared &one) const {
    return text.outline(one.tokens, bodyRanges);
  }
  // Null for what has no body here.
  const Body *bodyOf(const clang::Decl *declaration) const;
  std::map<DeclPlace, Declared *> byPlace();

  // `visit` says whether to go on with the members of a declaration.
  template <class Visit> static void forEach(std::vector<Declared> &list, Visit visit) {
    for (Declared &one : list)
      if (visit(one))
        forEach(one.members, visit);
  }

  PassText text;
  std::map<FilePlace, Body> bodies;
  std::vector<Declared> declared;

private:
  void addBody(const clang::FunctionDecl *function);
  std::vector<Declared> membersOf(const clang::DeclContext *context) const;
  void addPlaces(std::vector<Declared> &list, std::map<DeclPlace, Declared *> &places,
                 std::map<FilePlace, unsigned> &counts) const;

  std::vector<PassText::Range> bodyRanges;
};

} // namespace tessera::frontend
