// The order of the stages as far as Clang is involved; Pipeline.cpp has the rest.
#include "driver/Session.h"
#include "check/Check.h"
#include "driver/Assemble.h"
#include "frontend/Cleanup.h"

namespace tessera::driver {

std::unique_ptr<frontend::Translation> parse(std::shared_ptr<clang::CompilerInvocation> invocation,
                                             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                             clang::DiagnosticConsumer &diagnostics) {
  return std::make_unique<frontend::Translation>(frontend::Translation::Inputs{
      std::move(invocation), std::move(files), diagnostics, check::makeConsumer()});
}

Result<std::vector<frontend::EditedFile>> translate(frontend::Translation &translation,
                                                    const Settings &settings) {
  Reports reports([&](const Diagnostic &diagnostic) { translation.report(diagnostic); },
                  [&] { return translation.hasPrintedError(); });
  if (translation.hasErrors())
    return reports.failure("frontend");
  DiagnosticSink diagnose = [&](const Diagnostic &diagnostic) { reports(diagnostic); };
  std::vector<frontend::EditedFile> files =
      translation.rewrite(settings.target, settings.headers, settings.home);
  frontend::TileProgram program = translation.takeProgram();
  bool isClean = frontend::cleanUp(program, diagnose);
  if (settings.pipeline.dumpStage == "llvm")
    program.module->print(*settings.pipeline.dumpStream, nullptr);
  if (!isClean || files.empty())
    return reports.failure(isClean ? "frontend, rewrite" : "frontend, clean up");

  std::vector<frontend::Kernel> kernels = program.kernels;
  std::vector<EmittedKernel> emitted;
  bool wantsKernels = settings.target != Target::Cpu || (!settings.pipeline.dumpStage.empty() &&
                                                         settings.pipeline.dumpStage != "llvm");
  if (wantsKernels && !kernels.empty()) {
    Result<std::vector<EmittedKernel>> compiled =
        compile(std::move(program), settings.pipeline, reports);
    if (!compiled)
      return compiled.failure();
    emitted = std::move(*compiled);
  }
  files.front().contents = assemble(files.front(), kernels, emitted, settings);
  return files;
}

} // namespace tessera::driver
