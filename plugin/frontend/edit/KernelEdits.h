// The text of kernels: their bodies become launches of the generated kernels or of the kernel
// itself, and their parameters get names.
#pragma once

#include "frontend/edit/Rewrite.h"

#include "clang/AST/Decl.h"

namespace tessera::frontend {

class KernelEdits {
public:
  KernelEdits(Editor &editor, const PreprocessorRecord &record, const clang::SourceManager &sources,
              Target target)
      : editor(editor), record(record), sources(sources), target(target) {}

  // A tile kernel with a body.
  void rewriteKernel(clang::FunctionDecl *kernel);
  // A SIMT kernel with a body, on a target that cannot run it.
  void rewriteSimtKernel(clang::FunctionDecl *kernel);
  // GCC cannot take the address of a function with `T *__restrict__... p`.
  void removeRestrictOfPacks(const clang::FunctionDecl *kernel);

private:
  void takeLaunch(clang::FunctionDecl *kernel, const std::string &pending,
                  const std::string &before);
  void nameParameters(const clang::FunctionDecl *kernel);

  Editor &editor;
  const PreprocessorRecord &record;
  const clang::SourceManager &sources;
  Target target;
};

} // namespace tessera::frontend
