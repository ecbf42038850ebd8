// Precompiled forms of the headers in front of a program, in the user's cache folder:
// TESSERA_CACHE_DIR, else the system's; none if that is empty.
//
// They only save time: a program sees the same names. If anything could change the meaning of the
// headers, or the folder is not writable, no precompiled form is used.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

#include <set>
#include <string>
#include <vector>

namespace tessera::frontend {

// The includes before the first line of a program.
struct LeadingText {
  std::vector<std::string> always;  // the compiler's forced includes, in order
  std::vector<std::string> headers; // after those, as in #include <...>
  // Macros that the program has before the last of them: a header that uses such a name could
  // change its meaning.
  std::set<std::string> names = {};
  bool isSeldom = false; // make the form at the second request, not at once
  bool isAhead = false;  // this request does not count: it is made again
};

// The file that an invocation with one input may include as precompiled; empty: there is none.
std::string precompiledHeaders(const clang::CompilerInvocation &invocation,
                               const LeadingText &leading);

} // namespace tessera::frontend
