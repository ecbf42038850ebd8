// What is said once although Clang finds it twice, or Clang and a rule of check/ do.
#pragma once

#include "diagnose/Operation.h"

#include <set>
#include <utility>

namespace tessera::diagnose {

// May the next error say the same, and better?
bool maybeSaidAgain(unsigned id);
// Does it? The next error's own place is its start.
bool isSaidAgain(const Message &error, const Message &next, const clang::SourceManager &sources);

// Is it of a name that Clang has read as another one?
bool isCorrected(const Message &error);

// Does the error follow from the one before, a name that Clang does not find or has corrected?
bool followsFrom(const Message &error, const Message &before, const clang::SourceManager &sources);

// Is it about what a function of the system's headers calls, which tile code has called? Where a
// rule has refused such a call it follows from that.
bool isOfSystemsCall(const Message &error, llvm::ArrayRef<const clang::FunctionDecl *> functions,
                     const clang::SourceManager &sources);

// Does an error stand in a function whose declaration is wrong? A kernel that returns something is
// none to Clang. `places` are those of such types.
bool isInBrokenFunction(llvm::ArrayRef<const clang::FunctionDecl *> functions,
                        llvm::ArrayRef<clang::SourceLocation> places,
                        const clang::SourceManager &sources);

// The code of the rule of check/ that says the same of tile code; empty without one.
llvm::StringRef ruleOf(unsigned id);

// Which rules have spoken, and of which lines.
class SpokenRules {
public:
  using Line = std::pair<clang::FileID, unsigned>;
  static Line lineOf(clang::SourceLocation place, const clang::SourceManager &sources);
  void add(const clang::Diagnostic &diagnostic);
  bool contains(const Message &error, const clang::SourceManager &sources) const;
  bool refuseCallAt(clang::SourceLocation place, const clang::SourceManager &sources) const;
  // Has one refused a call of what is no tile code?
  bool haveRefusedCall() const;

private:
  std::set<std::pair<Line, std::string>> spoken; // with the code
};

} // namespace tessera::diagnose
