// The forms that nvcc accepts and Clang rejects: the Clang error that locates each, and its
// replacement, which both compilers accept with one meaning.
//
// * `int2 __restrict__ *p`: after the name of an alias the qualifier has no meaning. Blanks replace
//   it.
// * `template <> int f<int>(int)`, `template int f<int>(int);` of a template that is `__tile__`,
//   and members of its classes: they get the template's specifiers.
// * `void k(int *p) [[cutile::hint(0, occupancy = 2)]]`: after the parameters an attribute applies
//   to the type. It is moved to the front, as are deprecated and nodiscard.
// * `k<<<{4, 2}, {1}>>>(p)`: arguments of a launch cannot be lists; the types' names are added.
// * `constexpr int n = f(3);` outside of functions, of a `__tile__ constexpr` function: it and its
//   callees become host functions, too.
// * `static S s;` in tile code, made by a `__tile__` constructor or function: a mark shows Clang
//   that it is no variable of the host.
// * `int tessera;`: the runtime's namespace has that name in the parse and in the output. The
//   program's entities of this name, including a namespace, get a name that no program uses.
#pragma once

#include "clang/Basic/Diagnostic.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Sema;
} // namespace clang

namespace tessera::frontend {

enum class Form {
  Restrict,
  Specialization,
  Attribute,
  Launch,
  StaticLocal,
  HostConstant,
  RuntimeName
};

// Replaces `length` characters by text with as many lines.
struct Change {
  clang::SourceLocation location; // in a file
  unsigned length = 0;
  std::string text;
};

// The form that an error may be about.
std::optional<Form> formOf(const clang::Diagnostic &diagnostic);

// An error in the initialization of a host variable outside of functions may be about HostConstant.
// The functions are at the locations of its notes of this kind.
bool isInitializingForHost(clang::Sema &sema);
bool isNoteOfSpace(const clang::Diagnostic &diagnostic);

// The replacements at the errors' locations.
std::vector<Change> changesFor(Form form, const std::set<clang::SourceLocation> &locations,
                               clang::ASTContext &context);

} // namespace tessera::frontend
