// The nested compile: parse, check, generate code in memory. Everything about the program is asked
// of this object while it lives.
//
// Errors go to the diagnostic consumer as they are found. The AST stays alive for the rewriting,
// the source manager for diagnostics of later stages.
#pragma once

#include "Pipeline.h"
#include "frontend/Program.h"
#include "frontend/Respelling.h"
#include "frontend/Rewrite.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <functional>
#include <memory>
#include <optional>

namespace tessera::frontend {

class Translation {
public:
  struct Inputs {
    std::shared_ptr<clang::CompilerInvocation> invocation;
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
    clang::DiagnosticConsumer &diagnostics;
    // Makes what sees the translation unit before code is generated.
    std::function<std::unique_ptr<clang::ASTConsumer>()> makeChecks;
    // Is told each file that is read; null: nobody asks.
    std::shared_ptr<clang::DependencyCollector> readFiles = nullptr;
    // What another parse of the program has respelled.
    FileContents respelled = {};
  };

  explicit Translation(Inputs inputs);
  ~Translation();

  bool hasErrors() const;
  // Has an error of this translation unit been printed?
  bool hasPrintedError() const;
  bool hasTileCode() const;

  // The kernels in the order of the source; only once, and only without errors.
  TileProgram takeProgram();

  // Prints bad news of a later stage at its place in the source.
  void report(const Diagnostic &diagnostic);

  // The program as the host's pass sees it, where it launches kernels that this parse has skipped
  // (#ifndef __CUDA_ARCH__), or may have instances of templates whose bodies have gone, or where
  // text without a GPU may need what each pass reads; else null.
  std::unique_ptr<Translation> hostView(Target target);

  // Parses again where the other parse of the program has come to another text, and from that: what
  // only one of them meets is respelled for both (Respelling.h). False where there is no need.
  bool readAs(const Translation &other);

  struct DefinedKernel {
    std::string identity, name;
    Location place;
  };
  // The kernels that this parse defines or instantiates.
  std::vector<DefinedKernel> definedKernels() const;

  // The program's text, with what other parses of it want edited: the main file first; headers with
  // edits follow, or are part of it. Empty after an error. The text has the bodies that any of the
  // parses reads.
  std::vector<EditedFile> rewrite(const RewriteOptions &options,
                                  llvm::ArrayRef<Translation *> others);

  // The text as this parse alone reads it; nothing where that is the same.
  std::vector<EditedFile> rewriteAsRead(const RewriteOptions &options);

  // What failed checks name on the CPU.
  std::vector<NamedPlace> namedPlaces();

private:
  void parseFrom(FileContents files);
  void parse(Respelled respelled);
  void report(const std::vector<RewriteFailure> &failures);
  // The edits that this parse of the program wants; see Rewrite.h.
  std::vector<View> viewsOf(llvm::ArrayRef<Translation *> others, const RewriteOptions &options);
  void keepBodies(llvm::ArrayRef<Translation *> others);
  void expectSizes(const std::vector<View> &views);

  struct State;
  Inputs inputs;
  Respelling diagnostics; // outlives the state
  std::unique_ptr<State> state;
};

} // namespace tessera::frontend
