// The tool tessera: translates, checks or runs one file of CUDA Tile C++.
//
// Exit status: 0, 1 when the program is refused, 2 when the command line or the machine is at
// fault, 70 when tessera itself crashes; `run` gives the program's own.
#include "driver/HeldDiagnostics.h"
#include "driver/Options.h"
#include "driver/Output.h"
#include "driver/Run.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"

using namespace tessera;

namespace {

constexpr int crashed = 70;

// Does the work return? A crash prints the steps that it happened in; half-written files go.
bool survives(llvm::function_ref<void()> work) {
  llvm::setBugReportMsg(
      "tessera: this is a fault of tessera, please report it with the program and these lines\n");
  llvm::EnablePrettyStackTrace();
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  recovery.DumpStackAndCleanupOnFailure = true;
  bool isAlive = recovery.RunSafely(work);
  llvm::CrashRecoveryContext::Disable();
  return isAlive;
}

using Invocations = std::vector<std::shared_ptr<clang::CompilerInvocation>>;

// The text for each that is wanted, fewer where the program is refused. Nothing after a crash.
std::optional<std::vector<std::string>> translate(const driver::Options &options,
                                                  const Invocations &invocations,
                                                  clang::DiagnosticConsumer &diagnostics) {
  std::vector<std::string> translated;
  bool isAlive = survives([&] {
    std::vector<driver::Parse> parses;
    for (auto [invocation, target] : llvm::zip_equal(invocations, options.architectures)) {
      parses.push_back(
          {driver::parse(invocation, llvm::vfs::getRealFileSystem(), diagnostics), target});
      if (parses.back().translation->hasErrors())
        break;
    }
    for (const driver::Text &text : options.texts) {
      driver::Settings settings = options.settings;
      settings.target = text.target, settings.home = text.home;
      llvm::MutableArrayRef<driver::Parse> wanted = parses;
      if (text.target != driver::Target::Gpu)
        wanted = wanted.take_front(); // of several architectures, the one that runs here
      auto results = driver::translateEach(wanted, settings);
      if (!results)
        break;
      translated.push_back(
          std::move(driver::assembleFiles(std::move(*results), settings).front().contents));
    }
  });
  if (!isAlive)
    return std::nullopt;
  return translated;
}

// The same, with as much precompiled as changes nothing.
std::optional<std::vector<std::string>> translateSoon(const driver::Options &options,
                                                      const Invocations &invocations,
                                                      clang::DiagnosticOptions &diagnostics) {
  using frontend::Precompiled;
  const PipelineOptions &pipeline = options.settings.pipeline;
  bool isSeen = pipeline.timing || !pipeline.dumpStage.empty(); // what it does is, on the way
  Precompiled most = isSeen ? Precompiled::Prelude : Precompiled::LeadingIncludes;
  while (true) {
    Precompiled used = Precompiled::Nothing;
    Invocations tried;
    for (const auto &invocation : invocations) {
      tried.push_back(std::make_shared<clang::CompilerInvocation>(*invocation));
      used = std::max(used, frontend::usePrecompiledPrelude(*tried.back(), most));
    }
    driver::HeldDiagnostics held(diagnostics, used);
    auto translated = translate(options, tried, held);
    if (!translated || held.isCertain()) {
      held.print();
      return translated;
    }
    if (held.isUnreadable())
      llvm::for_each(tried, [](auto &one) { frontend::removePrecompiledPrelude(*one); });
    most = Precompiled(int(used) - 1);
  }
}

} // namespace

int main(int argc, char **argv) {
  std::optional<driver::Options> options = driver::parseOptions(argc, argv);
  if (!options)
    return 2;
  if (options->action == driver::Options::Run && !options->isTargetChosen)
    options->texts.front().target = driver::defaultRunTarget();
  if (options->action == driver::Options::Check && !options->isTargetChosen)
    options->texts.front().target =
        driver::Target::Cpu; // no plan is made: the question is the language, not a GPU

  clang::DiagnosticOptions diagnosticOptions;
  diagnosticOptions.ShowColors = llvm::sys::Process::StandardErrHasColors();
  clang::TextDiagnosticPrinter printer(llvm::errs(), diagnosticOptions);
  auto files = llvm::vfs::getRealFileSystem();
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, diagnosticOptions, &printer,
                                                                /*ShouldOwnClient=*/false);
  // Kernels that run here are compiled for one architecture; a GPU's program for all that it names.
  if (llvm::none_of(options->texts, [](auto &text) { return text.target == driver::Target::Gpu; }))
    options->architectures.resize(1);
  Invocations invocations;
  for (const GpuTarget *target : options->architectures) {
    options->commandLine.arch = target->name.str();
    auto invocation = frontend::makeInvocation(options->commandLine, *diagnostics);
    if (!invocation) {
      if (!diagnostics->hasErrorOccurred())
        llvm::errs() << "tessera: no way to compile '" << options->commandLine.file << "'\n";
      return 2;
    }
    invocation->getDiagnosticOpts().ShowColors = diagnosticOptions.ShowColors;
    // What holds for the source has been said once.
    invocation->getDiagnosticOpts().IgnoreWarnings |= !invocations.empty();
    invocations.push_back(std::move(invocation));
  }

  auto translated = translateSoon(*options, invocations, diagnosticOptions);
  if (!translated)
    return crashed;
  if (translated->size() != options->texts.size())
    return 1;
  if (options->action == driver::Options::Check)
    return 0;
  return options->action == driver::Options::Run
             ? driver::buildAndRun(translated->front(), *options)
             : driver::writeOutputs(*translated, *options);
}
