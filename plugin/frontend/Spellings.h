// The forms that nvcc takes and Clang refuses: by which error of Clang's a place of one is found,
// and what is written there so that both mean the same.
//
// * `int2 __restrict__ *p`: behind the name of an alias the qualifier has no meaning. There are
//   blanks in its place.
// * `template <> int f<int>(int)`, `template int f<int>(int);` of a template that is `__tile__`,
//   and members of its classes: they have the template's specifiers.
// * `void k(int *p) [[cutile::hint(0, occupancy = 2)]]`: behind the parameters stands what is said
//   of the type. The attribute is moved to the front, as are deprecated and nodiscard.
// * `k<<<{4, 2}, {1}>>>(p)`: arguments of a launch have no lists; here are the types' names.
// * `constexpr int n = f(3);` outside of functions, of a `__tile__ constexpr` function: it and
//   those that it calls become functions of the host, too.
// * `static S s;` in tile code, made by a `__tile__` constructor or function: a mark tells Clang
//   that it is no variable of the host.
// * `int tessera;`: the runtime's namespace has that name in the parse and in the text. What the
//   program calls so, a namespace of its own too, has a name that no program has.
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

// What stands in place of `length` characters. It has as many lines.
struct Change {
  clang::SourceLocation place; // in a file
  unsigned length = 0;
  std::string text;
};

// The form that an error may be about.
std::optional<Form> formOf(const clang::Diagnostic &diagnostic);

// An error where a variable of the host is initialized outside of functions may be about
// HostConstant. The functions are at the places of its notes of this kind.
bool isInitializingForHost(clang::Sema &sema);
bool isNoteOfSpace(const clang::Diagnostic &diagnostic);

// Whether the program adds to the runtime's namespace, which is no error.
bool extendsRuntime(clang::ASTContext &context);

// What to write at the errors' places.
std::vector<Change> changesFor(Form form, const std::set<clang::SourceLocation> &places,
                               clang::ASTContext &context);

} // namespace tessera::frontend
