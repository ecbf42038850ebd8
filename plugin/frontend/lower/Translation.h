// The nested compile: parse, check, generate code in memory. All queries about the program go to
// this object.
//
// Errors go to the diagnostic consumer as they are found. The AST stays alive for the rewriting,
// the source manager for diagnostics of later stages.
#pragma once

#include "support/Report.h"
#include "frontend/Program.h"
#include "frontend/edit/Respelling.h"
#include "frontend/edit/Rewrite.h"
#include "frontend/parse/Prelude.h"

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
    // Makes consumers that see the translation unit before code generation.
    std::function<std::unique_ptr<clang::ASTConsumer>()> makeChecks;
    // Receives each file that is read; null: not needed.
    std::shared_ptr<clang::DependencyCollector> readFiles = nullptr;
    // Files that another parse of the program has respelled.
    FileContents respelled = {};
    // What the invocation reads precompiled; other parses of the program read no more.
    Precompiled precompiled = Precompiled::Nothing;
  };

  explicit Translation(Inputs inputs);
  ~Translation();

  bool hasErrors() const;
  // Has an error of this translation unit been printed?
  bool hasPrintedError() const;
  bool hasTileCode() const;

  // The kernels in source order; only once, and only without errors.
  TileProgram takeProgram();

  // Prints a diagnostic of a later stage at its source location.
  void report(const Diagnostic &diagnostic);

  // Is the program needed in the host's pass, too? If it launches kernels that this parse has
  // skipped (#ifndef __CUDA_ARCH__), or may have instances of templates whose bodies were removed,
  // or if code without a GPU may need both passes.
  bool needsHostView(Target target);

  // The program in the host's pass.
  std::unique_ptr<Translation> hostView();

  // Parses again from the other parse's files if these differ: forms that only one of them meets
  // are respelled for both (Respelling.h). False if it is not needed.
  bool readAs(const Translation &other);

  struct DefinedKernel {
    std::string identity, name;
    FileLocation location;
  };
  // The kernels that this parse defines or instantiates.
  std::vector<DefinedKernel> definedKernels() const;

  // The program's code, with the edits of other parses of it: the main file first; headers with
  // edits follow, or are inlined. Empty after an error. It contains the bodies that any of the
  // parses reads.
  std::vector<EditedFile> rewrite(const RewriteOptions &options,
                                  llvm::ArrayRef<Translation *> others);

  // The code as this parse alone reads it; nothing if that is the same.
  std::vector<EditedFile> rewriteAsRead(const RewriteOptions &options);

  // The names in failed checks on the CPU.
  std::vector<NamedLocation> namedLocations();

private:
  void parseFrom(FileContents files);
  void parse(Respelled respelled);
  void report(const std::vector<RewriteFailure> &failures);
  // The edits of this parse of the program; see Rewrite.h.
  std::vector<View> viewsOf(llvm::ArrayRef<Translation *> others, const RewriteOptions &options);
  void keepBodies(llvm::ArrayRef<Translation *> others);
  void expectSizes(const std::vector<View> &views);

  struct State;
  Inputs inputs;
  const bool checksSpelling;
  Respelling diagnostics; // outlives the state
  std::unique_ptr<State> state;
};

} // namespace tessera::frontend
