// What nvcc takes and Clang refuses, or takes for something else, spelled so that both mean it: the
// forms of Spellings.h, and the functions of MissingSpecifiers.h.
//
//   parse -> the places of these -> the same files, respelled -> parse again
//
// All that comes after works on the text so spelled. A program without such places is parsed once;
// what an error at one place hides at another is found in another round.
#pragma once

#include "frontend/MissingSpecifiers.h"
#include "frontend/Spellings.h"

#include "clang/Basic/Diagnostic.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace tessera::frontend {

// The contents of files in place of what lies on the disk.
using FileContents = std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;

// Passes on what a parse reports, up to the first error that may be about such a place: from there
// on the next parse reports, which passes over what has been said.
class Respelling : public clang::DiagnosticConsumer {
public:
  explicit Respelling(clang::DiagnosticConsumer &target) : target(target) {}

  // How the parse is asked, now or at its end, what lacks specifiers.
  std::function<std::vector<MissingSpecifiers>()> findMissing;

  // At the end of a parse: is there to be another one?
  bool isWanted() { return !isLastParse && (isHolding() || !findMissing().empty()); }

  // The files as they should be spelled, given to an invocation. Starts the next parse.
  FileContents respell(clang::CompilerInstance &compiler, clang::CompilerInvocation &invocation);

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    target.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { target.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  bool isHolding() const { return !places.empty() || mayLackSpecifiers; }

  clang::DiagnosticConsumer &target;
  std::map<Form, std::set<clang::SourceLocation>> places; // in files
  bool mayLackSpecifiers = false;
  std::map<std::string, std::string> texts; // of the files that have changed
  unsigned passedOn = 0, toPassOver = 0, rounds = 0;
  bool isLastParse = false;

  static constexpr unsigned maxRounds = 4;
};

} // namespace tessera::frontend
