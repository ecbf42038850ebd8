// Generated code starts with a header of the runtime (Assemble.cpp), followed by the program.
#include "driver/PrecompiledRuntime.h"

#include "frontend/parse/LeadingIncludes.h"
#include "frontend/parse/PrecompiledHeaders.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "llvm/ADT/STLExtras.h"
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

frontend::LeadingIncludes leadingIncludesOf(const CompilerInvocation &invocation,
                                            const std::string &file) {
  CompilerInvocation program(invocation);
  FrontendInputFile &input = program.getFrontendOpts().Inputs.front();
  input = FrontendInputFile(file, input.getKind());
  return frontend::findLeadingIncludes(program);
}

// Is there more to parse for the header, after the runtime's? A rewritten program does not need
// cuda_tile.h.
bool isLarge(llvm::StringRef header) {
  static constexpr llvm::StringRef small[] = {"cuda_tile.h", "cuda_bf16.h", "cuda_fp16.h",
                                              "cuda_runtime.h", "cuda_runtime_api.h"};
  return !header.starts_with("tessera/") && !llvm::is_contained(small, header);
}

// For GPUs the runtime's headers are precompiled at once: each program is compiled for two
// processors at least. `isAhead`: the same is asked for again when the program is compiled.
std::string precompiledForGpu(const CompilerInvocation &invocation, const std::string &program,
                              bool isAhead) {
  frontend::LeadingIncludes leading = leadingIncludesOf(invocation, program);
  frontend::LeadingText text;
  text.always = {"__clang_cuda_runtime_wrapper.h"}; // which Clang's driver includes
  text.headers = {"tessera/simt.cuh"};
  frontend::LeadingText alone = text;
  for (const std::string &header : leading.headers)
    if (header != "cuda_tile.h")
      text.headers.push_back(header);
  text.names = leading.names, text.isSeldom = true, text.isAhead = isAhead;
  std::string file;
  if (llvm::any_of(leading.headers, isLarge))
    file = frontend::precompiledHeaders(invocation, text);
  return file.empty() ? frontend::precompiledHeaders(invocation, alone) : file;
}

std::string precompiledForHere(const CompilerInvocation &invocation, const Options &options) {
  frontend::LeadingIncludes leading = leadingIncludesOf(invocation, options.commandLine.file);
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
  return options.texts.front().target == Target::Gpu
             ? precompiledForGpu(*invocation, options.commandLine.file, /*isAhead=*/false)
             : precompiledForHere(*invocation, options);
}

} // namespace

void precompileForGpu(const Words &compile, const std::string &program) {
  std::unique_ptr<CompilerInvocation> invocation = invocationOf(compile);
  if (invocation && invocation->getFrontendOpts().Inputs.size() == 1)
    (void)precompiledForGpu(*invocation, program, /*isAhead=*/true);
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
