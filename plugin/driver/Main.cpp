// The tool tessera: translates, checks or runs one file of CUDA Tile C++.
//
// Exit status: 0, 1 when the program is refused, 2 when the command line or the machine is at
// fault; `run` gives the program's own.
#include "driver/Options.h"
#include "driver/Output.h"
#include "driver/Run.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace tessera;

int main(int argc, char **argv) {
  std::optional<driver::Options> options = driver::parseOptions(argc, argv);
  if (!options)
    return 2;
  if (options->action == driver::Options::Run && !options->isTargetChosen)
    options->settings.target = driver::defaultRunTarget();
  if (options->action == driver::Options::Check && !options->isTargetChosen)
    options->settings.target =
        driver::Target::Cpu; // no plan is made: the question is the language, not a GPU

  if (options->action == driver::Options::Translate && options->output != "-") {
    llvm::StringRef folder = llvm::sys::path::parent_path(options->output);
    options->settings.home = folder.empty() ? "." : folder.str();
  }

  clang::DiagnosticOptions diagnosticOptions;
  diagnosticOptions.ShowColors = llvm::sys::Process::StandardErrHasColors();
  clang::TextDiagnosticPrinter printer(llvm::errs(), diagnosticOptions);
  auto files = llvm::vfs::getRealFileSystem();
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, diagnosticOptions, &printer,
                                                                /*ShouldOwnClient=*/false);
  auto invocation = frontend::makeInvocation(options->commandLine, *diagnostics);
  if (!invocation)
    return 2;
  invocation->getDiagnosticOpts().ShowColors = diagnosticOptions.ShowColors;

  auto translation = driver::parse(invocation, files, printer);
  auto texts = driver::translate(*translation, options->settings);
  if (!texts)
    return 1;
  if (options->action == driver::Options::Check)
    return 0;
  const std::string &text = texts->front().contents;
  return options->action == driver::Options::Run ? driver::buildAndRun(text, *options)
                                                 : driver::writeOutput(text, *options);
}
