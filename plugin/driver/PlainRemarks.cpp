// The program is parsed again, with its own source manager. So locations are passed as lines and
// columns.
#include "driver/PlainRemarks.h"

#include "driver/NestedParse.h"
#include "frontend/parse/Invocation.h"
#include "frontend/parse/TileCode.h"
#include "target/Target.h"

#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace tessera::driver {
namespace {

struct Said {
  DiagnosticsEngine::Level level;
  unsigned line, column;
  std::string text;
};

class Collector : public DiagnosticConsumer {
public:
  explicit Collector(std::string mainFile) : mainFile(std::move(mainFile)) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level != DiagnosticsEngine::Note)
      isWanted = level == DiagnosticsEngine::Remark || level >= DiagnosticsEngine::Error ||
                 (level == DiagnosticsEngine::Warning && isParsed);
    if (!isWanted || !diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid())
      return;
    const SourceManager &sources = diagnostic.getSourceManager();
    SourceLocation location = sources.getExpansionLoc(diagnostic.getLocation());
    auto file = sources.getFileEntryRefForID(sources.getFileID(location));
    if (!file || file->getName() != mainFile)
      return;
    SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    said.push_back({level, sources.getExpansionLineNumber(location),
                    sources.getExpansionColumnNumber(location), text.str().str()});
  }

  std::vector<Said> said;
  bool isParsed = false; // the plain parse has reported its warnings

private:
  std::string mainFile;
  bool isWanted = false;
};

class PlainRemarks : public ASTConsumer {
public:
  PlainRemarks(CompilerInstance &compiler, const Settings &settings)
      : compiler(compiler), settings(settings) {}

  void HandleTranslationUnit(ASTContext &) override {
    const SourceManager &sources = compiler.getSourceManager();
    StringRef text = sources.getBufferData(sources.getMainFileID());
    if (compiler.getDiagnostics().hasErrorOccurred() || !frontend::namesTileCode(text))
      return;
    std::string name = compiler.getFrontendOpts().Inputs.front().getFile().str();
    Collector collector(name);
    plan(name, text, collector);
    DiagnosticsEngine &engine = compiler.getDiagnostics();
    // clangd drops remarks; it gets warnings, which its entry point shows as hints.
    bool isForEditor = frontend::wantsRemarks(compiler.getInvocation());
    for (const Said &one : collector.said) {
      bool isHint = isForEditor && one.level == DiagnosticsEngine::Remark;
      engine.Report(sources.translateLineCol(sources.getMainFileID(), one.line, one.column),
                    engine.getCustomDiagID(isHint ? DiagnosticsEngine::Warning : one.level, "%0"))
          << (isHint ? one.text + " [tile:remark]" : one.text);
    }
  }

private:
  void plan(const std::string &name, StringRef text, Collector &collector) {
    std::vector<const GpuTarget *> targets = frontend::architecturesOf(compiler.getInvocation());
    const GpuTarget &target = targets.empty() ? defaultGpuTarget() : *targets.front();
    auto invocation = frontend::makeInvocation(compiler.getInvocation(), target);
    // The edited buffer replaces the file; an editor's preamble is valid only for the buffer from
    // which it was made. Buffers belong to the parse that receives them.
    PreprocessorOptions &headers = invocation->getPreprocessorOpts();
    headers.clearRemappedFiles();
    headers.RetainRemappedFileBuffers = false;
    headers.addRemappedFile(name, llvm::MemoryBuffer::getMemBufferCopy(text, name).release());
    headers.ImplicitPCHInclude.clear();
    headers.PrecompiledPreambleBytes = {0, false};
    headers.UsePredefines = true;
    invocation->getFrontendOpts().SkipFunctionBodies = false;
    invocation->getFrontendOpts().DisableFree = false;

    Settings own = settings;
    own.pipeline.sourceName = name;
    own.pipeline.dumpStage.clear();
    NestedParse nested;
    diagnose::Explainer explainer(collector);
    std::vector<Parse> parses;
    parses.push_back(
        {parse(std::move(invocation), compiler.getVirtualFileSystemPtr(), explainer), &target});
    collector.isParsed = true;
    if (!parses.back().translation->hasErrors())
      (void)translateEach(parses, own);
  }

  CompilerInstance &compiler;
  Settings settings;
};

} // namespace

std::unique_ptr<ASTConsumer> makePlainRemarks(CompilerInstance &compiler,
                                              const Settings &settings) {
  return std::make_unique<PlainRemarks>(compiler, settings);
}

} // namespace tessera::driver
