// What nvcc takes and Clang refuses, or takes for something else, spelled so that both mean it: the
// forms of Spellings.h, and the functions of MissingSpecifiers.h.
//
//   parse -> the places of these -> the same files, respelled -> parse again
//
// All that comes after works on the text so spelled. A program without such places is parsed once;
// what an error at one place hides at another is found in another round.
//
// One more form has no error of its own: nvcc reads the body of a template of a function, or of a
// member of a template of a class, when it is instantiated. One that never is, and has an error,
// goes. Where another parse of the program has instances (#ifndef __CUDA_ARCH__), the program's
// text keeps it.
//
// And nvcc warns of calls of the host's functions in functions for host and device, and ends the
// device's code there. Where Clang waits for what the device needs, it is not told; where it does
// not wait, the body goes as above.
//
// What no spelling mends is allowed in the next parse: launches outside of functions
// (OutsideLaunches.h).
#pragma once

#include "frontend/MissingSpecifiers.h"
#include "frontend/Spellings.h"

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

// The contents of files in place of what lies on the disk.
using FileContents = std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;

struct Respelled {
  FileContents files;
  FileContents whole; // the same with all bodies, at the same offsets; empty if none has gone
  const FileContents &withBodies() const { return whole.empty() ? files : whole; }
};

FileContents copyOf(const FileContents &files);
bool areSame(const FileContents &some, const FileContents &others);

// Lets an invocation read these files.
void give(const FileContents &files, clang::CompilerInvocation &invocation);

// Passes on what a parse reports, up to the first error that may be about such a place: from there
// on the next parse reports, which passes over what has been said.
class Respelling : public clang::DiagnosticConsumer {
public:
  // `parse` gives the parse that is under way or has ended; null before there is one.
  Respelling(clang::DiagnosticConsumer &target, std::function<clang::CompilerInstance *()> parse)
      : target(target), parse(std::move(parse)) {}

  clang::DiagnosticConsumer &finalTarget() { return target; }

  // What a parse tells its instances of templates to.
  std::unique_ptr<clang::ASTConsumer> makeListener();

  // At the end of a parse: is there to be another one?
  bool isWanted() {
    return !isLastParse && (isHolding() || extendsRuntime() || !findMissing().empty());
  }

  // The files as they should be spelled. Starts the next parse.
  Respelled respell();

  // Before a first parse, or another one: with these files in place of what lies on the disk. What
  // has been said is not said again.
  void startFrom(const FileContents &files);

  // Whether the next parse is to allow launches outside of functions.
  bool allowsOutsideLaunches() const { return hasOutsideLaunches; }

  // At the end of the last parse: a body has gone of which there are instances, now that other
  // places are respelled. Starts one more parse, of the whole files.
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
  // What stands between two braces of a file, where the next parse finds it.
  struct Body {
    std::string file;
    size_t begin, end;
  };
  using Texts = std::map<std::string, std::string>;

  bool isHolding() const {
    return !places.empty() || mayLackSpecifiers || !unread.empty() || meetsOutsideLaunch;
  }
  const clang::FunctionDecl *functionBeingRead(bool isCallOfHost);
  std::vector<MissingSpecifiers> findMissing();
  bool extendsRuntime() const;
  std::vector<Change> changes();
  std::vector<Body> bodiesToGo();

  clang::DiagnosticConsumer &target;
  std::function<clang::CompilerInstance *()> parse;
  std::map<Form, std::set<clang::SourceLocation>> places; // in files
  // Templates with errors in their bodies, and the templates with instances.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> unread, instantiated;
  bool mayLackSpecifiers = false;
  bool meetsOutsideLaunch = false, hasOutsideLaunches = false; // this parse; one so far
  bool mayBeHostConstant = false;                              // the last error
  // Of the files that have changed: as the next parse sees them, and with all bodies.
  Texts texts, wholes;
  std::vector<Body> gone;
  unsigned passedOn = 0, toPassOver = 0, rounds = 0;
  bool isLastParse = false;

  static constexpr unsigned maxRounds = 4;
};

} // namespace tessera::frontend
