// Parses for every architecture, then writes each output from these parses; again with less
// precompiled if that could have changed the diagnostics.
#include "driver/Translate.h"
#include "support/Messages.h"
#include "driver/Crashes.h"
#include "driver/HeldDiagnostics.h"
#include "frontend/parse/Invocation.h"
#include "frontend/lower/Signature.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera::driver {
namespace {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOf(const Options &options) {
  return options.files ? options.files : llvm::vfs::getRealFileSystem();
}

// Includes the headers of the toolkit and of the system: a change requires a new translation.
class FileCollector : public clang::DependencyCollector {
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef file, bool isFromModule, bool isSystem, bool isModuleFile,
                     bool isMissing) override {
    return !isModuleFile && DependencyCollector::sawDependency(file, isFromModule, isSystem,
                                                               isModuleFile, isMissing);
  }
};

using Invocations = std::vector<std::shared_ptr<clang::CompilerInvocation>>;
using frontend::Precompiled;

void translateParses(const Options &options, const Invocations &invocations,
                     Precompiled precompiled, clang::DiagnosticConsumer &diagnostics,
                     Outcome &outcome) {
  diagnose::Explainer explainer(diagnostics);
  std::vector<Parse> parses;
  auto readFiles = options.dependencyFile.empty() ? nullptr : std::make_shared<FileCollector>();
  std::function<std::unique_ptr<clang::ASTConsumer>()> makeReader;
  if (!options.signatureOf.empty())
    makeReader = [&] {
      return frontend::makeSignatureReader(options.signatureOf, outcome.signature);
    };
  for (auto [invocation, target] : llvm::zip_equal(invocations, options.architectures)) {
    parses.push_back(
        {parse(invocation, filesOf(options), explainer, readFiles, makeReader, precompiled),
         target});
    if (parses.back().translation->hasErrors())
      break;
  }
  for (const Text &text : options.texts) {
    Settings settings = options.settings;
    settings.target = text.target, settings.home = text.home;
    llvm::MutableArrayRef<Parse> wanted = parses;
    if (text.target != Target::Gpu)
      wanted = wanted.take_front(); // of several architectures, the one that runs here
    auto results = translateEach(wanted, settings);
    if (!results) {
      outcome.status = Outcome::refused;
      return;
    }
    outcome.kernels = factsOf(results->front().portion);
    outcome.planned.clear();
    for (const Translated &result : *results)
      llvm::append_range(outcome.planned, plannedKernelsOf(result.portion, settings.product));
    if (settings.pipeline.explanation != Explanation::Nothing)
      for (const Translated &result : *results)
        outcome.portions.push_back(result.portion);
    outcome.texts.push_back(
        std::move(assembleFiles(std::move(*results), settings).front().contents));
  }
  if (readFiles)
    outcome.files = readFiles->getDependencies();
}

Outcome translateInvocations(const Options &options, const Invocations &invocations,
                             Precompiled precompiled, clang::DiagnosticConsumer &diagnostics) {
  Outcome outcome;
  auto work = [&] { translateParses(options, invocations, precompiled, diagnostics, outcome); };
  if (options.isEmbedded)
    work();
  else if (!survives("tessera", work))
    outcome.status = Outcome::crashed;
  return outcome;
}

// The same, with as much precompiled as has no effect on the result.
Outcome translateSoon(const Options &options, const Invocations &invocations,
                      clang::DiagnosticOptions &diagnostics, llvm::raw_ostream &messages) {
  const PipelineOptions &pipeline = options.settings.pipeline;
  bool isSeen = pipeline.timing || !pipeline.dumpStage.empty() ||
                !pipeline.dumpAfter.empty(); // it prints while it runs
  Precompiled most = isSeen ? Precompiled::Prelude : Precompiled::LeadingIncludes;
  while (true) {
    Precompiled used = Precompiled::Nothing;
    Invocations tried;
    for (const auto &invocation : invocations) {
      tried.push_back(std::make_shared<clang::CompilerInvocation>(*invocation));
      used = std::max(used, frontend::usePrecompiledPrelude(*tried.back(), most));
    }
    HeldDiagnostics held(diagnostics, used);
    Outcome outcome = translateInvocations(options, tried, used, held);
    if (outcome.status == Outcome::crashed || held.isCertain()) {
      held.print(messages);
      return outcome;
    }
    if (held.isUnreadable())
      for (const auto &one : tried) {
        frontend::removePrecompiledPrelude(*one);
        frontend::removePrecompiledPrelude(*frontend::makeHostView(*one, used));
      }
    most = Precompiled(int(used) - 1);
  }
}

} // namespace

Outcome translate(Options &options, llvm::raw_ostream &messages) {
  clang::DiagnosticOptions diagnosticOptions;
  diagnosticOptions.ShowColors = messages.has_colors();
  diagnosticOptions.ShowPresumedLoc = true; // like Clang's driver
  diagnosticOptions.ShowOptionNames = true;
  clang::TextDiagnosticPrinter printer(messages, diagnosticOptions);
  auto files = filesOf(options);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, diagnosticOptions, &printer,
                                                                /*ShouldOwnClient=*/false);
  // Kernels that run here are compiled for one architecture; a GPU's program for all that the
  // options name.
  if (llvm::none_of(options.texts, [](auto &text) { return text.target == Target::Gpu; }))
    options.architectures.resize(1);
  Invocations invocations;
  for (const GpuTarget *target : options.architectures) {
    options.commandLine.arch = target->name.str();
    auto invocation = frontend::makeInvocation(options.commandLine, files, *diagnostics);
    if (!invocation) {
      if (!diagnostics->hasErrorOccurred())
        messages << "tessera: " << llvm::formatv(message::NoWayToCompile, options.commandLine.file)
                 << '\n';
      return {Outcome::unusable, {}, {}, {}, {}, {}, {}};
    }
    frontend::defineChecks(*invocation, options.settings.pipeline.checks);
    if (options.isEmbedded)
      invocation->getFrontendOpts().DisableFree = false;
    invocation->getDiagnosticOpts().ShowColors = diagnosticOptions.ShowColors;
    // Warnings about the source were printed by the first invocation.
    invocation->getDiagnosticOpts().IgnoreWarnings |= !invocations.empty();
    invocations.push_back(std::move(invocation));
  }
  return translateSoon(options, invocations, diagnosticOptions, messages);
}

} // namespace tessera::driver
