// The rewriting of a program for one target: tile kernels become host entries or functions on the
// CPU, launches become calls.
//
// The text is the user's, line by line; what it turns into is stated case by case in Rewrite.cpp.
// The runtime side of the contract is in runtime/include/tessera/host/.
#pragma once

#include "Refusals.h"
#include "frontend/Editor.h"

namespace clang {
class CompilerInstance;
}

namespace tessera::frontend {

// Gpu: emitted kernels for a CUDA compiler. Cpu: tile code as plain C++. Emulate: emitted kernels
// as plain C++.
enum class Target { Gpu, Cpu, Emulate };

// A place that could not be rewritten, and why.
struct RewriteFailure {
  clang::SourceLocation location;
  Refusal reason;
  std::string name = {}; // of what it is about, where the reason has a place for one
};

struct RewriteOptions {
  Target target = Target::Gpu;
  Headers headers = Headers::Inlined;
  // The text's kernels are for an image, under their own names (emit/).
  bool isImage = false;
  bool checksBounds = false; // on the CPU
  std::string home;          // where the text will lie, if not in the place of the source
};

// The edits that this parse of the program wants.
View viewForRewriting(clang::CompilerInstance &compiler, const PreprocessorRecord &record,
                      const RewriteOptions &options, std::vector<RewriteFailure> &failures);

// What the text for this target needs of both: empty on a GPU, where each pass reads for itself.
struct ParsedPass {
  clang::CompilerInstance &compiler;
  const PreprocessorRecord &record;
};
View viewOfBothPasses(const ParsedPass &device, const ParsedPass &host,
                      const RewriteOptions &options, std::vector<RewriteFailure> &failures);

// The program's text with the edits of this parse and of others, the main file first.
std::vector<EditedFile> rewrite(clang::CompilerInstance &compiler, const PreprocessorRecord &record,
                                const RewriteOptions &options, const std::vector<View> &others,
                                std::vector<RewriteFailure> &failures);

} // namespace tessera::frontend
