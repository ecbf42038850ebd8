// Generated code starts with a header of the runtime (Assemble.cpp), followed by the program.
#include "driver/PrecompiledRuntime.h"

#include "frontend/parse/LeadingIncludes.h"
#include "frontend/parse/PrecompiledHeaders.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace tessera::driver {

using namespace clang;

static std::unique_ptr<CompilerInvocation> invocationOf(const Words &compile) {
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

std::string precompiledRuntime(const Words &compile, const Options &options) {
  std::unique_ptr<CompilerInvocation> invocation = invocationOf(compile);
  if (!invocation || invocation->getFrontendOpts().Inputs.size() != 1)
    return {};
  CompilerInvocation program(*invocation);
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
      frontend::precompiledHeaders(*invocation, {{}, headers, leading.names, /*isSeldom=*/true});
  return file.empty() ? frontend::precompiledHeaders(*invocation, alone) : file;
}

} // namespace tessera::driver
