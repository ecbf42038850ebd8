// The order of the stages that involve Clang; Pipeline.cpp has the rest.
#include "driver/Session.h"

#include "support/Refusals.h"
#include "driver/Assemble.h"
#include "frontend/lower/Inlining.h"
#include "frontend/parse/Hints.h"
#include "frontend/parse/Invocation.h"

#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tessera::driver {

std::vector<KernelFacts> factsOf(const Portion &portion) {
  std::vector<KernelFacts> facts;
  facts.reserve(portion.emitted.size());
  for (const EmittedKernel &kernel : portion.emitted)
    facts.push_back({kernel.symbol, kernel.threads, kernel.sharedMemory});
  return facts;
}

std::unique_ptr<frontend::Translation>
parse(std::shared_ptr<clang::CompilerInvocation> invocation,
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, diagnose::Explainer &diagnostics,
      std::shared_ptr<clang::DependencyCollector> readFiles,
      const std::function<std::unique_ptr<clang::ASTConsumer>()> &makeReader,
      frontend::Precompiled precompiled) {
  bool allowsExtensions = frontend::allowsExtensions(*invocation);
  return std::make_unique<frontend::Translation>(frontend::Translation::Inputs{
      std::move(invocation),
      std::move(files),
      diagnostics,
      [=, &diagnostics]() -> std::unique_ptr<clang::ASTConsumer> {
        auto checks = makeChecks(diagnostics, {allowsExtensions});
        if (!makeReader)
          return checks;
        std::vector<std::unique_ptr<clang::ASTConsumer>> both;
        both.push_back(makeReader());
        both.push_back(std::move(checks));
        return std::make_unique<clang::MultiplexConsumer>(std::move(both));
      },
      std::move(readFiles),
      {},
      precompiled});
}

std::unique_ptr<clang::ASTConsumer> makeChecks(diagnose::Explainer &explainer,
                                               const check::Options &options) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(explainer.makeListener());
  consumers.push_back(check::makeConsumer(options));
  consumers.push_back(explainer.makeListenerAfterRules());
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

namespace {

Reports reportsOf(frontend::Translation &translation) {
  return Reports([&](const Diagnostic &diagnostic) { translation.report(diagnostic); },
                 [&] { return translation.hasPrintedError(); });
}

// The kernels of one parse, planned and generated for its architecture.
Result<Portion> compileKernels(Parse &parse, const Settings &settings) {
  Reports reports = reportsOf(*parse.translation);
  if (!parse.portion) {
    frontend::TileProgram program = parse.translation->takeProgram();
    bool isClean = frontend::inlineCalls(
        program, *parse.target, /*speculates=*/!settings.pipeline.checks.any(),
        [&](const Diagnostic &diagnostic) { reports(diagnostic); });
    if (settings.pipeline.dumpStage == "llvm")
      program.module->print(*settings.pipeline.dumpStream, nullptr);
    if (!isClean)
      return reports.failure("frontend, clean up");
    for (frontend::Kernel &kernel : program.kernels)
      kernel.hints = frontend::hintsFor(*parse.target, kernel.hints);
    parse.portion = {parse.target, program.kernels, {}};
    if (!program.kernels.empty())
      parse.program = std::move(program);
  }

  bool wantsKernels =
      (settings.target != Target::Cpu && !settings.isSimtOnly) ||
      (!settings.pipeline.dumpStage.empty() && settings.pipeline.dumpStage != "llvm") ||
      !settings.pipeline.dumpAfter.empty();
  if (wantsKernels && parse.program) {
    PipelineOptions options = settings.pipeline;
    options.target = parse.target;
    options.isImage = settings.product != Product::Program;
    options.isWhole = options.isWhole && settings.target == Target::Emulate;
    Result<std::vector<EmittedKernel>> emitted = compile(*parse.program, options, reports);
    parse.program.reset();
    if (!emitted)
      return emitted.failure();
    parse.portion->emitted = std::move(*emitted);
  }
  Portion portion = *parse.portion;
  if (settings.target == Target::Cpu)
    portion.emitted.clear(); // they run the tile functions themselves
  return portion;
}

// A kernel template that is instantiated only under #ifndef __CUDA_ARCH__ has no kernel for its
// entry: the launch would fail at run time.
bool seesOnlyKernelsOf(llvm::ArrayRef<Parse> parses, frontend::Translation &host) {
  std::set<std::string> known;
  for (const Parse &parse : parses)
    for (const auto &kernel : parse.translation->definedKernels())
      known.insert(kernel.identity);
  bool isRight = true;
  for (const auto &kernel : host.definedKernels())
    if (!known.count(kernel.identity)) {
      host.report(refusal(Refusal::HostOnlyKernel, kernel.location, {kernel.name}));
      isRight = false;
    }
  return isRight;
}

} // namespace

// All parses read what one of them respells. Each continues from its neighbour's files.
static bool readOneText(llvm::ArrayRef<frontend::Translation *> all) {
  constexpr unsigned maxRounds = 4;
  bool isOne = false;
  for (unsigned round = 0; !isOne && round < maxRounds; ++round) {
    isOne = true;
    for (size_t i = 0; i < all.size(); ++i)
      if (frontend::Translation &next = *all[(i + 1) % all.size()]; next.readAs(*all[i])) {
        isOne = false;
        if (next.hasErrors())
          return false;
      }
  }
  return true;
}

Result<std::vector<Translated>> translateEach(llvm::MutableArrayRef<Parse> parses,
                                              const Settings &settings) {
  for (const Parse &parse : parses)
    if (parse.translation->hasErrors())
      return reportsOf(*parse.translation).failure("frontend");
  frontend::RewriteOptions options{settings.target, settings.headers,
                                   settings.product != Product::Program,
                                   settings.pipeline.checks.bounds, settings.home};
  std::vector<frontend::Translation *> others;
  for (const Parse &parse : llvm::drop_begin(parses))
    others.push_back(parse.translation.get());
  std::vector<frontend::Translation *> all;
  for (const Parse &parse : parses)
    all.push_back(parse.translation.get());
  if (!readOneText(all))
    return reportsOf(*all.front()).failure("frontend");
  frontend::Translation &first = *parses.front().translation;
  if (first.needsHostView(settings.target)) {
    std::unique_ptr<frontend::Translation> &host = parses.front().host;
    if (!host)
      host = first.hostView();
    if (host->hasErrors())
      return reportsOf(*host).failure("frontend, the host's view");
    all.push_back(host.get());
    if (!readOneText(all))
      return reportsOf(*all.front()).failure("frontend");
    if (!seesOnlyKernelsOf(parses, *host))
      return reportsOf(*host).failure("frontend, the host's view");
    others.push_back(host.get());
  }
  std::vector<frontend::EditedFile> files = first.rewrite(options, others);
  for (const Parse &parse : parses)
    if (files.empty() || parse.translation->hasErrors())
      return reportsOf(*parse.translation).failure("frontend, rewrite");

  if (settings.target == Target::Cpu && settings.pipeline.checks.any())
    files.front().namedLocations = first.namedLocations();

  std::vector<Translated> results;
  for (Parse &parse : parses) {
    auto portion = compileKernels(parse, settings);
    if (!portion)
      return portion.failure();
    results.push_back({files, std::move(*portion)});
  }
  results.front().filesOfPass = first.rewriteAsRead(options);
  return results;
}

std::vector<frontend::EditedFile> assembleFiles(std::vector<Translated> translated,
                                                const Settings &settings) {
  std::vector<Portion> portions;
  bool namesTileHeader = false;
  for (Translated &one : translated) {
    portions.push_back(std::move(one.portion));
    namesTileHeader |= one.files.front().namesTileHeader;
  }
  std::vector<frontend::EditedFile> files = std::move(translated.front().files);
  files.front().namesTileHeader = namesTileHeader;
  files.front().contents = assemble(files.front(), portions, settings);
  return files;
}

} // namespace tessera::driver
