// The rewriting of a program for one target: tile kernels become host entries or functions on the
// CPU, launches become calls.
//
// The output is the user's code, line by line. Rewrite.cpp decides which declarations
// change; LaunchEdits.h, KernelEdits.h and Removal.h describe the changes. The runtime side of the
// contract is in runtime/include/tessera/host/.
#pragma once

#include "support/Refusals.h"
#include "frontend/edit/Editor.h"

namespace clang {
class CompilerInstance;
}

namespace tessera::frontend {

// Gpu: generated kernels for a CUDA compiler. Cpu: tile code as plain C++. Emulate: generated
// kernels as plain C++.
enum class Target { Gpu, Cpu, Emulate };

// A location that could not be rewritten, and why.
struct RewriteFailure {
  clang::SourceLocation location;
  Refusal reason;
  std::string name = {}; // of its subject, if the reason has a place for one
};

struct RewriteOptions {
  Target target = Target::Gpu;
  Headers headers = Headers::Inlined;
  // The kernels are for an image, under their own names (emit/).
  bool isImage = false;
  bool checksBounds = false; // on the CPU
  std::string home;          // the output folder, if not that of the source
};

// The edits of this parse of the program.
View viewForRewriting(clang::CompilerInstance &compiler, const PreprocessorRecord &record,
                      const RewriteOptions &options, std::vector<RewriteFailure> &failures);

// Both passes of a program without a GPU: empty on a GPU, where each pass reads the file itself.
struct ParsedPass {
  clang::CompilerInstance &compiler;
  const PreprocessorRecord &record;
};
View viewOfBothPasses(const ParsedPass &device, const ParsedPass &host,
                      const RewriteOptions &options, std::vector<RewriteFailure> &failures);

// The program's code with the edits of this parse and of others, the main file first.
std::vector<EditedFile> rewrite(clang::CompilerInstance &compiler, const PreprocessorRecord &record,
                                const RewriteOptions &options, const std::vector<View> &others,
                                std::vector<RewriteFailure> &failures);

} // namespace tessera::frontend
