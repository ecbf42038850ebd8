// The headers that a program includes before anything else, in order: the program's own tokens, a
// condition or a pragma end them. These consecutive headers can be precompiled unchanged, and no
// additional name becomes visible.
//
// Included files of the program itself are read, too. Anything unknown ends the search: it is no
// error, only less time is saved.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

#include <set>
#include <string>
#include <vector>

namespace tessera::frontend {

struct LeadingIncludes {
  std::vector<std::string> headers; // rows of LeadingHeaders.def, as they are written
  // Macros and an alias of cuda::tiles that the program's files declare before the last of them: a
  // header that uses such a name could change its meaning.
  std::set<std::string> names;
};

LeadingIncludes findLeadingIncludes(const clang::CompilerInvocation &invocation);

// The folders that a program looks for its own headers in, -I and -iquote.
bool isUserFolder(const clang::HeaderSearchOptions::Entry &entry);

// The macro that a definition on the command line defines.
llvm::StringRef nameOfMacro(llvm::StringRef definition);

} // namespace tessera::frontend
