// One translation from CUDA Tile C++ to text, as the plugin and the tool both do it.
#pragma once

#include "Pipeline.h"
#include "frontend/Translation.h"

#include <string>

namespace tessera::driver {

using frontend::Target;

struct Settings {
  Target target = Target::Gpu;
  frontend::Headers headers = frontend::Headers::Inlined;
  std::string
      home; // folder of the output file; empty: compiled as if it were in the place of the source
  PipelineOptions pipeline;
};

// Parse, check and generate code; the checks of check/ are part of it.
std::unique_ptr<frontend::Translation> parse(std::shared_ptr<clang::CompilerInvocation> invocation,
                                             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                             clang::DiagnosticConsumer &diagnostics);

// All of the way: the program's text for the target, the main file first.
Result<std::vector<frontend::EditedFile>> translate(frontend::Translation &translation,
                                                    const Settings &settings);

} // namespace tessera::driver
