// Respells forms that nvcc accepts and Clang rejects, or understands differently, so that both
// accept them with one meaning: the forms of Spellings.h, and the functions of MissingSpecifiers.h.
//
//   parse -> the locations of these -> the same files, respelled -> parse again
//
// All later steps work on the respelled files. A program without such locations is parsed once; an
// error that hides another one causes a further round.
//
// One more form has no error of its own: nvcc reads the body of a function template, or of a member
// of a class template, at its instantiation. A body that is never instantiated, and has an error,
// is removed. If another parse of the program has instances (#ifndef __CUDA_ARCH__), the output
// keeps it.
//
// nvcc also only warns about calls of host functions in functions for host and device, and ends the
// device's code there. Where Clang defers the error until the device needs the function, it is
// suppressed; where it does not, the body is removed as above.
//
// Forms without a common spelling are allowed in the next parse: launches outside of functions
// (OutsideLaunches.h).
#pragma once

#include "frontend/edit/MissingSpecifiers.h"
#include "frontend/edit/Spellings.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
class FunctionDecl;
} // namespace clang

namespace tessera::frontend {

// File contents that replace those on disk.
using FileContents = std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;

struct Respelled {
  FileContents files;
  FileContents whole; // the same with all bodies, at the same offsets; empty if none was removed
  const FileContents &withBodies() const { return whole.empty() ? files : whole; }
};

FileContents copyOf(const FileContents &files);
bool areSame(const FileContents &some, const FileContents &others);

// Makes an invocation read these files.
void give(const FileContents &files, clang::CompilerInvocation &invocation);

// Forwards the diagnostics of a parse, up to the first error that may be about such a location:
// after it the next parse reports, skipping diagnostics that were already printed.
class Respelling : public clang::DiagnosticConsumer {
public:
  // `parse` returns the current or the last parse; null before the first.
  Respelling(clang::DiagnosticConsumer &target, std::function<clang::CompilerInstance *()> parse)
      : target(target), parse(std::move(parse)) {}

  clang::DiagnosticConsumer &finalTarget() { return target; }

  // Receives a parse's template instances.
  std::unique_ptr<clang::ASTConsumer> makeListener();

  // At the end of a parse: is another one needed?
  bool isWanted() {
    return !isLastParse && (isHolding() || extendsRuntime() || !findMissing().empty());
  }

  // The respelled files. Starts the next parse.
  Respelled respell();

  // Before the first or another parse: with these files in place of those on disk. Printed
  // diagnostics are not repeated.
  void startFrom(const FileContents &files);

  // Must the next parse allow launches outside of functions?
  bool allowsOutsideLaunches() const { return hasOutsideLaunches; }

  // At the end of the last parse: was a body removed that has instances now that other locations
  // are respelled? Starts one more parse, of the whole files.
  bool needsWhole();

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    target.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { target.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  class Listener;
  // The code between two braces of a file, at the next parse's offsets.
  struct Body {
    std::string file;
    size_t begin, end;
  };
  using Texts = std::map<std::string, std::string>;

  bool isHolding() const {
    return !locations.empty() || mayLackSpecifiers || !unread.empty() || meetsOutsideLaunch;
  }
  const clang::FunctionDecl *functionBeingRead(bool isCallOfHost);
  std::vector<MissingSpecifiers> findMissing();
  bool extendsRuntime() const;
  std::vector<Change> changes();
  std::vector<Body> bodiesToGo();

  clang::DiagnosticConsumer &target;
  std::function<clang::CompilerInstance *()> parse;
  std::map<Form, std::set<clang::SourceLocation>> locations; // in files
  // Templates with errors in their bodies, and the templates with instances.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> unread, instantiated;
  bool mayLackSpecifiers = false;
  bool meetsOutsideLaunch = false, hasOutsideLaunches = false; // this parse; any parse so far
  bool mayBeHostConstant = false;                              // the last error
  // The changed files: as the next parse sees them, and with all bodies.
  Texts texts, wholes;
  std::vector<Body> gone;
  unsigned passedOn = 0, toPassOver = 0, rounds = 0;
  bool isLastParse = false;

  static constexpr unsigned maxRounds = 4;
};

} // namespace tessera::frontend
