// Generated code starts with a header of the runtime (Assemble.cpp), followed by the program.
#include "driver/PrecompiledRuntime.h"

#include "frontend/parse/LeadingIncludes.h"
#include "frontend/parse/PrecompiledHeaders.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace tessera::driver {

using namespace clang;

namespace {

std::unique_ptr<CompilerInvocation> invocationOf(const Words &compile) {
  std::vector<const char *> arguments;
  arguments.reserve(compile.size());
  for (const std::string &word : compile)
    arguments.push_back(word.c_str());
  DiagnosticOptions diagnosticOptions;
  IgnoringDiagConsumer silence;
  CreateInvocationOptions options;
  options.VFS = llvm::vfs::getRealFileSystem();
  options.Diags = CompilerInstance::createDiagnostics(*options.VFS, diagnosticOptions, &silence,
                                                      /*ShouldOwnClient=*/false);
  return createInvocation(arguments, options);
}

// For GPUs only the runtime's headers are precompiled, at once: each program is compiled for two
// processors at least, and a form for its own headers, too, would cost more than many compiles.
std::string precompiledForGpu(const CompilerInvocation &invocation) {
  // The first is CUDA's, which Clang's driver includes.
  return frontend::precompiledHeaders(invocation,
                                      {{"__clang_cuda_runtime_wrapper.h"}, {"tessera/simt.cuh"}});
}

std::string precompiledForHere(const CompilerInvocation &invocation, const Options &options) {
  CompilerInvocation program(invocation);
  FrontendInputFile &input = program.getFrontendOpts().Inputs.front();
  input = FrontendInputFile(options.commandLine.file, input.getKind());
  frontend::LeadingIncludes leading = frontend::findLeadingIncludes(program);

  bool isCpu = options.texts.front().target == Target::Cpu;
  std::vector<std::string> headers = {isCpu ? "tessera/host/cpu.h" : "tessera/simt.cuh"};
  frontend::LeadingText alone{{}, headers, {}, /*isSeldom=*/true};
  for (const std::string &header : leading.headers)
    if (isCpu || header != "cuda_tile.h") // which a rewritten program does not need
      headers.push_back(header);
  std::string file =
      frontend::precompiledHeaders(invocation, {{}, headers, leading.names, /*isSeldom=*/true});
  return file.empty() ? frontend::precompiledHeaders(invocation, alone) : file;
}

// The file that a command line, which compiles a program's code, may include as precompiled; empty:
// none yet, or none at all.
std::string precompiledRuntime(const Words &compile, const Options &options) {
  std::unique_ptr<CompilerInvocation> invocation = invocationOf(compile);
  if (!invocation || invocation->getFrontendOpts().Inputs.size() != 1)
    return {};
  return options.texts.front().target == Target::Gpu ? precompiledForGpu(*invocation)
                                                     : precompiledForHere(*invocation, options);
}

} // namespace

void precompileForGpu(const Words &compile) {
  if (std::unique_ptr<CompilerInvocation> invocation = invocationOf(compile))
    (void)precompiledForGpu(*invocation);
}

int compileWithRuntime(const Words &compile, const Words &rest, const Options &options,
                       const Surroundings &surroundings) {
  Words words = compile;
  words.insert(words.end(), rest.begin(), rest.end());
  std::string file = precompiledRuntime(compile, options);
  if (!file.empty()) {
    size_t before = surroundings.errors->size(); // what earlier compilers have said
    Words fast = words;
    fast.insert(fast.begin() + 1, {"-include-pch", file});
    if (execute(fast, surroundings) == 0)
      return 0;
    surroundings.errors->resize(before);
  }
  int status = execute(words, surroundings);
  if (status == 0 && !file.empty())
    (void)llvm::sys::fs::remove(file); // it is faulty, and made again at the next request
  return status;
}

} // namespace tessera::driver
