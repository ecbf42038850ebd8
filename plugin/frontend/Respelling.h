// What nvcc takes and Clang refuses, or takes for something else, spelled so that both mean it:
//
// * `int2 __restrict__ *p`: behind the name of a class or another type, nvcc takes the qualifier
//   and gives it no meaning; Clang refuses it. There are blanks in its place.
// * a function that was declared `__tile__` and is declared again, or defined, without: see
//   MissingSpecifiers.h. The specifiers are put before it.
// * a template of a function that names what is declared nowhere: nvcc reads a template when it is
//   instantiated. The body of one that never is goes.
//
//   parse -> the places of these -> the same files, respelled -> parse again
//
// All that comes after works on the text so spelled. A program without such places is parsed once.
#pragma once

#include "frontend/MissingSpecifiers.h"

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
// on the second parse reports, which passes over what the first one has said.
class Respelling : public clang::DiagnosticConsumer {
public:
  explicit Respelling(clang::DiagnosticConsumer &target) : target(target) {}

  // How the parse is asked, now or at its end, what lacks specifiers.
  std::function<std::vector<MissingSpecifiers>()> findMissing;

  // At the end of the first parse: is there to be a second one?
  bool isWanted() { return isHolding() || !findMissing().empty(); }

  // The files as they should be spelled, given to an invocation. Starts the second parse.
  FileContents respell(clang::CompilerInstance &compiler, clang::CompilerInvocation &invocation);

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    target.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { target.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  bool isHolding() const { return !restricts.empty() || mayLackSpecifiers || !undeclared.empty(); }
  bool isMisplacedRestrict(const clang::Diagnostic &diagnostic) const;

  clang::DiagnosticConsumer &target;
  std::set<clang::SourceLocation> restricts, undeclared; // in files
  bool mayLackSpecifiers = false;
  unsigned passedOn = 0, toPassOver = 0;
  bool isSecondParse = false;
};

} // namespace tessera::frontend
