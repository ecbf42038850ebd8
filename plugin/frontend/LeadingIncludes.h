// The headers that a program includes before anything else, in their order: a program's own tokens,
// a condition or a pragma ends them. Those that follow one another in this way can be precompiled
// as they are, and no name is visible that would not be.
//
// The program's own files that are included meanwhile are looked into. What is not understood here
// ends the search: it is no error, only less time that is saved.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

#include <set>
#include <string>
#include <vector>

namespace tessera::frontend {

struct LeadingIncludes {
  std::vector<std::string> headers; // rows of LeadingHeaders.def, as they are written
  // Macros and an alias of cuda::tiles that the program's files have before the last of them: a
  // header that knows such a name could be read otherwise.
  std::set<std::string> names;
};

LeadingIncludes findLeadingIncludes(const clang::CompilerInvocation &invocation);

// The folders that a program looks for its own headers in, -I and -iquote.
bool isUserFolder(const clang::HeaderSearchOptions::Entry &entry);

// What a definition on the command line gives a meaning to.
llvm::StringRef nameOfMacro(llvm::StringRef definition);

} // namespace tessera::frontend
