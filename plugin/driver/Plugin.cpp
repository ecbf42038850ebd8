// The plugin: clang++ -fplugin=libtessera.so x.cu.
//
// Before the main action the file is compiled once more, as tile code; then the text that the main
// action reads is replaced. Both the device and the host pass do so and get the same text. A plain
// parse (-fsyntax-only, clangd) sees the user's own text and the checks.
#include "check/Check.h"
#include "driver/Session.h"
#include "frontend/Installation.h"
#include "frontend/Invocation.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace tessera::driver {
namespace {

// Set while the nested compile runs: Clang offers it to plugins as well.
thread_local bool isNested = false;

// Errors of the nested compile reach the user; its warnings come again from the main action, except
// those of the language.
class Forwarder : public DiagnosticConsumer {
public:
  Forwarder(DiagnosticConsumer &target, bool wantsWarnings)
      : target(target), wantsWarnings(wantsWarnings) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level != DiagnosticsEngine::Note)
      isForwarding = level >= DiagnosticsEngine::Error || (wantsWarnings && isOurs(diagnostic));
    if (isForwarding)
      target.HandleDiagnostic(level, diagnostic);
  }

private:
  static bool isOurs(const clang::Diagnostic &diagnostic) {
    SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    return text.str().contains("[tile:");
  }

  DiagnosticConsumer &target;
  bool wantsWarnings, isForwarding = false;
};

// Whether the header of the language is part of the program. Files that name it are not
// preprocessed for this question.
bool includesTileHeader(CompilerInstance &compiler) {
  const SourceManager &sources = compiler.getSourceManager();
  if (sources.getBufferData(sources.getMainFileID()).contains("cuda_tile"))
    return true;
  auto invocation = frontend::makeInvocation(compiler.getInvocation());
  CompilerInstance preprocessor(invocation);
  IgnoringDiagConsumer silence;
  preprocessor.setVirtualFileSystem(compiler.getVirtualFileSystemPtr());
  preprocessor.createDiagnostics(&silence, /*ShouldOwnClient=*/false);
  struct Question : PreprocessOnlyAction {
    bool answer = false;
    void EndSourceFileAction() override {
      answer = getCompilerInstance().getPreprocessor().isMacroDefined("TESSERA_VERSION_STRING");
    }
  } question;
  preprocessor.ExecuteAction(question);
  return question.answer;
}

class Action : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    if (isNested || !compiler.getLangOpts().CUDA)
      return std::make_unique<ASTConsumer>();
    addRuntimeHeaders(compiler);
    bool isPlainParse =
        compiler.getFrontendOpts().Plugins.empty() ||
        compiler.getFrontendOpts().ProgramAction == clang::frontend::ParseSyntaxOnly;
    if (isPlainParse)
      return check::makeConsumer();
    isNested = true;
    if (includesTileHeader(compiler))
      replaceText(compiler);
    isNested = false;
    return std::make_unique<ASTConsumer>();
  }

  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    for (StringRef argument : arguments)
      if (!argument.consume_front("dump=")) {
        DiagnosticsEngine &engine = compiler.getDiagnostics();
        engine.Report(engine.getCustomDiagID(
            DiagnosticsEngine::Error,
            "unknown argument '%0' of the plugin tessera; there is dump=STAGE"))
            << argument;
        return false;
      } else {
        settings.pipeline.dumpStage = argument.str();
      }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  static void addRuntimeHeaders(CompilerInstance &compiler) {
    if (auto folder =
            compiler.getFileManager().getOptionalDirectoryRef(frontend::runtimeIncludeDirectory()))
      compiler.getPreprocessor().getHeaderSearchInfo().AddSystemSearchPath(
          DirectoryLookup(*folder, SrcMgr::C_System, /*isFramework=*/false));
  }

  void replaceText(CompilerInstance &compiler) {
    Forwarder forwarder(compiler.getDiagnosticClient(), compiler.getLangOpts().CUDAIsDevice);
    auto translation = parse(frontend::makeInvocation(compiler.getInvocation()),
                             compiler.getVirtualFileSystemPtr(), forwarder);
    settings.headers = frontend::Headers::Separate;
    const GpuTarget *target = findGpuTarget(frontend::architectureOf(compiler.getInvocation()));
    settings.pipeline.sourceName = compiler.getFrontendOpts().Inputs.front().getFile().str();
    settings.pipeline.optionsText = target->name.str();
    std::vector<Parse> parses;
    parses.push_back({std::move(translation), target});
    auto files = translate(parses, settings);
    SourceManager &sources = compiler.getSourceManager();
    if (!files) // the errors are out; there is nothing left to compile
      files = std::vector<frontend::EditedFile>{{settings.pipeline.sourceName, ""}};
    for (auto &[name, contents] : *files)
      if (auto file = name == files->front().name
                          ? sources.getFileEntryRefForID(sources.getMainFileID())
                          : compiler.getFileManager().getOptionalFileRef(name))
        sources.overrideFileContents(*file, llvm::MemoryBuffer::getMemBufferCopy(contents, name));
    // The main file was given as many locations as it had characters: with more of them it needs
    // new ones. Nobody has entered it yet.
    if (auto file = sources.getFileEntryRefForID(sources.getMainFileID()))
      sources.setMainFileID(sources.createFileID(*file, SourceLocation(), SrcMgr::C_User));
  }

  Settings settings;
};

FrontendPluginRegistry::Add<Action> registration("tessera", "CUDA Tile C++");

} // namespace
} // namespace tessera::driver
