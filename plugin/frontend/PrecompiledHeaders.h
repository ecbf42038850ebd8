// Precompiled forms of the headers that stand before a program, in a folder of the user's cache:
// TESSERA_CACHE_DIR, else the system's; none where that is empty.
//
// They change nothing but time: a program sees the same names. Where anything could make the
// headers read otherwise, or the folder cannot be written, there is no such form.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

#include <set>
#include <string>
#include <vector>

namespace tessera::frontend {

// What stands before the first line of a program.
struct LeadingText {
  std::vector<std::string> always;  // what the compiler is told to include, in this order
  std::vector<std::string> headers; // behind that, as in #include <...>
  // Macros that the program has before the last of them: a header that knows such a name could be
  // read otherwise.
  std::set<std::string> names = {};
  bool isSeldom = false; // the form is made when it is asked for a second time, not at once
};

// The file that an invocation with one input may include as precompiled; empty: there is none.
std::string precompiledHeaders(const clang::CompilerInvocation &invocation,
                               const LeadingText &leading);

} // namespace tessera::frontend
