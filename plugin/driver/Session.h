// One translation from CUDA Tile C++ to text, as the plugin and the tool both do it.
#pragma once

#include "check/Check.h"
#include "Pipeline.h"
#include "diagnose/Explainer.h"
#include "frontend/Translation.h"

#include <functional>
#include <optional>
#include <string>

namespace tessera::driver {

using frontend::Target;

// What a text's kernels are compiled to. Program: with the host's code, which launches them. The
// others are loaded by a host that has the image alone. PTX cannot be given more shared memory than
// compilers declare.
enum class Product { Program, Ptx, Cubin };

struct Settings {
  Target target = Target::Gpu;
  frontend::Headers headers = frontend::Headers::Inlined;
  std::string
      home; // folder of the output file; empty: compiled as if it were in the place of the source
  Product product = Product::Program;
  // The text leaves tile kernels out: their entries launch nothing, which is an error there.
  bool isSimtOnly = false;
  // It is also compiled for architectures that have no tile code: there, too, a launch is an error.
  bool hasOlderArchitectures = false;
  // What is not the program's own is marked as the system's, for the compiler of this process.
  bool marksOwnLines = false;
  PipelineOptions pipeline;
};

// What one architecture has of a program.
struct Portion {
  const GpuTarget *target;
  std::vector<frontend::Kernel> kernels;
  std::vector<EmittedKernel> emitted;
};

// What a host has to know of an emitted kernel.
struct KernelFacts {
  std::string symbol;
  unsigned threads;
  size_t sharedMemory; // bytes
};
std::vector<KernelFacts> factsOf(const Portion &portion);

// The static shared memory that an image's text declares for each of its kernels, in bytes; nothing
// where its hosts give them dynamic memory.
std::optional<size_t> declaredSharedMemory(llvm::ArrayRef<KernelFacts> kernels, Product product);

// Parse, check and generate code; the checks of check/ are part of it. What makeReader makes sees
// the AST, too.
std::unique_ptr<frontend::Translation>
parse(std::shared_ptr<clang::CompilerInvocation> invocation,
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, diagnose::Explainer &diagnostics,
      std::shared_ptr<clang::DependencyCollector> readFiles = nullptr,
      const std::function<std::unique_ptr<clang::ASTConsumer>()> &makeReader = {});

// What sees a parse's AST first: the explanation of Clang's errors, then the rules of check/.
std::unique_ptr<clang::ASTConsumer> makeChecks(diagnose::Explainer &explainer,
                                               const check::Options &options);

// A program after its translation for one architecture: the edited files, without the emitted
// kernels, and these.
struct Translated {
  std::vector<frontend::EditedFile> files; // the main file first
  Portion portion;
  // What Clang's pass for this architecture is to read; empty where it is no other text.
  std::vector<frontend::EditedFile> filesOfPass = {};
};

// A parse of the program for each of its architectures, in the order of their numbers.
struct Parse {
  std::unique_ptr<frontend::Translation> translation;
  const GpuTarget *target;
  // What is left to do for its kernels, and what has been done: of several texts the first that
  // wants it has it done.
  std::optional<frontend::TileProgram> program = {};
  std::optional<Portion> portion = {};
};

// The text is that of the first parse, with what the others want edited in it. May be called again
// for another target.
Result<std::vector<Translated>> translateEach(llvm::MutableArrayRef<Parse> parses,
                                              const Settings &settings);

// The program's text for the target, the main file first.
std::vector<frontend::EditedFile> assembleFiles(std::vector<Translated> translated,
                                                const Settings &settings);

} // namespace tessera::driver
