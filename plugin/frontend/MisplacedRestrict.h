// `int2 __restrict__ *p`: behind the name of a class or another type, nvcc takes the qualifier and
// gives it no meaning; Clang refuses it.
//
//   parse -> the places of such qualifiers -> the same files with blanks there -> parse again
//
// All that comes after works on the text with the blanks. A program without them is parsed once.
#pragma once

#include "clang/Basic/Diagnostic.h"

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

// Passes on what a parse reports, up to the first such qualifier: from there on the second parse
// reports, which passes over what the first one has said.
class MisplacedRestrict : public clang::DiagnosticConsumer {
public:
  explicit MisplacedRestrict(clang::DiagnosticConsumer &target) : target(target) {}

  bool isFound() const { return !places.empty(); }

  // The files with blanks, given to an invocation. Starts the second parse.
  FileContents blank(clang::CompilerInstance &compiler, clang::CompilerInvocation &invocation);

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    target.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { target.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  bool isMisplaced(const clang::Diagnostic &diagnostic) const;

  clang::DiagnosticConsumer &target;
  std::set<clang::SourceLocation> places; // in files
  unsigned passedOn = 0, toPassOver = 0;
  bool isSecondParse = false;
};

} // namespace tessera::frontend
