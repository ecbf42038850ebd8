// Diagnostics that Clang gives twice, or that Clang and a rule of check/ both give.
#pragma once

#include "diagnose/Operation.h"

#include <set>
#include <utility>

namespace tessera::diagnose {

// Might the next error repeat this one, more precisely?
bool maybeSaidAgain(unsigned id);
// Does it? The next error's own location is its start.
bool isSaidAgain(const Message &error, const Message &next, const clang::SourceManager &sources);

// Is it about a name that Clang has corrected to another one?
bool isCorrected(const Message &error);

// Is the error a consequence of the previous one, an undeclared or corrected name?
bool followsFrom(const Message &error, const Message &before, const clang::SourceManager &sources);

// Is it about a callee of a system header's function that tile code calls? If a rule has refused
// such a call, it is a consequence.
bool isOfSystemsCall(const Message &error, llvm::ArrayRef<const clang::FunctionDecl *> functions,
                     const clang::SourceManager &sources);

// Is an error in a function whose declaration is wrong? For Clang, a kernel with a return type is
// no kernel. `locations` are those of such types.
bool isInBrokenFunction(llvm::ArrayRef<const clang::FunctionDecl *> functions,
                        llvm::ArrayRef<clang::SourceLocation> locations,
                        const clang::SourceManager &sources);

// The code of the rule of check/ for the same error in tile code; empty without one.
llvm::StringRef ruleOf(unsigned id);

// The rules that have reported, and their lines.
class SpokenRules {
public:
  using Line = std::pair<clang::FileID, unsigned>;
  static Line lineOf(clang::SourceLocation location, const clang::SourceManager &sources);
  void add(const clang::Diagnostic &diagnostic);
  bool contains(const Message &error, const clang::SourceManager &sources) const;
  bool refuseCallAt(clang::SourceLocation location, const clang::SourceManager &sources) const;
  // Has a rule refused a call of a function that is not tile code?
  bool haveRefusedCall() const;

private:
  std::set<std::pair<Line, std::string>> spoken; // with the code
};

} // namespace tessera::diagnose
