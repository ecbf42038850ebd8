// One translation from CUDA Tile C++ to generated code, for the plugin and the tool.
#pragma once

#include "check/Check.h"
#include "Pipeline.h"
#include "diagnose/Explainer.h"
#include "driver/KernelFacts.h"
#include "frontend/lower/Translation.h"

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace tessera::driver {

using frontend::Target;

struct Settings {
  Target target = Target::Gpu;
  frontend::Headers headers = frontend::Headers::Inlined;
  std::string home; // folder of the output file; empty: compiled as if in the folder of the source
  Product product = Product::Program;
  // The output has no tile kernels: their entries launch nothing, which is an error at run time.
  bool isSimtOnly = false;
  // Also compiled for architectures without tile code: there, too, a launch is an error.
  bool hasOlderArchitectures = false;
  // Code that is not the program's is marked as a system header's, for the compiler of this
  // process.
  bool marksOwnLines = false;
  std::string optionsText;      // for the first comment of the output
  std::set<std::string> macros; // that options define in the program
  PipelineOptions pipeline;
};

// The part of a program for one architecture.
struct Portion {
  const GpuTarget *target;
  std::vector<frontend::Kernel> kernels;
  std::vector<EmittedKernel> emitted;
};

std::vector<KernelFacts> factsOf(const Portion &portion);

// Parse, check and generate code; including the checks of check/. The consumer from makeReader sees
// the AST, too.
std::unique_ptr<frontend::Translation>
parse(std::shared_ptr<clang::CompilerInvocation> invocation,
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, diagnose::Explainer &diagnostics,
      std::shared_ptr<clang::DependencyCollector> readFiles = nullptr,
      const std::function<std::unique_ptr<clang::ASTConsumer>()> &makeReader = {},
      frontend::Precompiled precompiled = frontend::Precompiled::Nothing);

// The first consumers of a parse's AST: the explanation of Clang's errors, then the rules of
// check/.
std::unique_ptr<clang::ASTConsumer> makeChecks(diagnose::Explainer &explainer,
                                               const check::Options &options);

// A program after its translation for one architecture: the edited files without the generated
// kernels, and the kernels.
struct Translated {
  std::vector<frontend::EditedFile> files; // the main file first
  Portion portion;
  // The input of Clang's pass for this architecture; empty if it is the same.
  std::vector<frontend::EditedFile> filesOfPass = {};
};

// A parse of the program for each of its architectures, in numerical order.
struct Parse {
  std::unique_ptr<frontend::Translation> translation;
  const GpuTarget *target;
  // The pending work for its kernels, and the results: of several outputs the first that needs it
  // runs it.
  std::optional<frontend::TileProgram> program = {};
  std::optional<Portion> portion = {};
  // Of the first parse, once a target needs it; the same for all targets.
  std::unique_ptr<frontend::Translation> host = nullptr;
};

// The code is that of the first parse, with the edits of the others. May be called again for
// another target.
Result<std::vector<Translated>> translateEach(llvm::MutableArrayRef<Parse> parses,
                                              const Settings &settings);

// The program's code for the target, the main file first.
std::vector<frontend::EditedFile> assembleFiles(std::vector<Translated> translated,
                                                const Settings &settings);

} // namespace tessera::driver
