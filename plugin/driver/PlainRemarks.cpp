// The program is parsed once more, with a source manager of its own. So places are handed over as
// lines and columns.
#include "driver/PlainRemarks.h"

#include "Target.h"
#include "driver/NestedParse.h"
#include "frontend/Invocation.h"
#include "frontend/TileCode.h"

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
    SourceLocation place = sources.getExpansionLoc(diagnostic.getLocation());
    auto file = sources.getFileEntryRefForID(sources.getFileID(place));
    if (!file || file->getName() != mainFile)
      return;
    SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    said.push_back({level, sources.getExpansionLineNumber(place),
                    sources.getExpansionColumnNumber(place), text.str().str()});
  }

  std::vector<Said> said;
  bool isParsed = false; // whose warnings the plain parse has said

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
    // clangd leaves remarks out; it is given warnings, which its door shows as hints.
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
    // The text that is being edited stands for the file; a preamble of the editor is for the text
    // alone that it was made of. Buffers belong to the parse that they are given to.
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
