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

// What one architecture has of a program.
struct Portion {
  const GpuTarget *target;
  std::vector<frontend::Kernel> kernels;
  std::vector<EmittedKernel> emitted;
};

// Parse, check and generate code; the checks of check/ are part of it.
std::unique_ptr<frontend::Translation> parse(std::shared_ptr<clang::CompilerInvocation> invocation,
                                             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                             clang::DiagnosticConsumer &diagnostics);

// The kernels of one parse, planned and emitted for its architecture.
Result<Portion> compileKernels(frontend::Translation &translation, const GpuTarget &target,
                               const Settings &settings);

// A parse of the program for each of its architectures, in the order of their numbers.
struct Parse {
  std::unique_ptr<frontend::Translation> translation;
  const GpuTarget *target;
};

// All of the way: the program's text for the target, the main file first.
Result<std::vector<frontend::EditedFile>> translate(const std::vector<Parse> &parses,
                                                    const Settings &settings);

} // namespace tessera::driver
