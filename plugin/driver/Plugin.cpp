// The plugin: clang++ -fplugin=libtessera.so x.cu.
//
// Before the main action the file is compiled as tile code; then the main action's input is
// replaced. The device pass and the host pass both do so and get the same code. A plain parse
// (-fsyntax-only, clangd) sees the user's own code and the checks.
#include "driver/CommonOptions.h"
#include "driver/Forwarder.h"
#include "driver/Handover.h"
#include "support/Messages.h"
#include "driver/NestedParse.h"
#include "driver/PlainRemarks.h"
#include "driver/Plugin.h"
#include "driver/Session.h"
#include "frontend/parse/ArgumentLookup.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/CompilerName.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/Invocation.h"
#include "frontend/parse/Prelude.h"
#include "frontend/parse/TileCode.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace tessera::driver {
namespace {

// Does the program have tile code? Files that mention it need no preprocessing for this test.
bool hasTileCode(CompilerInstance &compiler) {
  const SourceManager &sources = compiler.getSourceManager();
  return frontend::namesTileCode(sources.getBufferData(sources.getMainFileID())) ||
         frontend::usesTileCode(
             frontend::makeInvocation(compiler.getInvocation(), defaultGpuTarget()),
             compiler.getVirtualFileSystemPtr());
}

// "check=LIST, dump=STAGE, explain and extensions"
std::string argumentsOfPlugin() {
  std::vector<std::string> names = {"dump=STAGE", "explain"};
  for (const CommonOption &option : commonOptions())
    names.push_back((option.name + (option.takesValue() ? "=LIST" : "")).str());
  llvm::sort(names);
  std::string last = names.back();
  names.pop_back();
  return llvm::join(names, ", ") + " and " + last;
}

class Action : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    if (NestedParse::isUnderWay || !compiler.getLangOpts().CUDA)
      return std::make_unique<ASTConsumer>();
    if (const FrontendInputFile &input = compiler.getFrontendOpts().Inputs.front();
        input.getKind().isPreprocessed()) {
      takePreprocessed(compiler, input);
      return std::make_unique<ASTConsumer>();
    }
    addRuntimeHeaders(compiler);
    takeWhatNvccTakes(compiler.getDiagnostics());
    const PreprocessorOptions &headers = compiler.getPreprocessorOpts();
    bool isPlainParse =
        compiler.getFrontendOpts().Plugins.empty() || headers.GeneratePreamble ||
        compiler.getFrontendOpts().ProgramAction == clang::frontend::ParseSyntaxOnly;
    if (isPlainParse) {
      Preprocessor &preprocessor = compiler.getPreprocessor();
      // The -include options follow the macros, and CUDA's own is the first of them.
      std::string predefines = preprocessor.getPredefines();
      predefines.insert(std::min(predefines.find("#include "), predefines.size()),
                        macroDefinitions() + "#include \"tessera/tile/unevaluated.h\"\n");
      preprocessor.setPredefines(predefines + "#include \"tessera/tile/nvcc.h\"\n");
      frontend::nameCompiler(preprocessor);
      std::vector<std::unique_ptr<ASTConsumer>> consumers;
      consumers.push_back(frontend::makeArgumentLookup());
      bool isDevicePass = compiler.getLangOpts().CUDAIsDevice, follows = followsDevicePass();
      bool wantsWarnings = isDevicePass || !follows;
      diagnose::Explainer &explainer = diagnose::Explainer::install(compiler.getDiagnostics());
      if (!wantsWarnings)
        explainer.dropWarningsOfTileCode();
      consumers.push_back(makeChecks(
          explainer,
          {settings.macros.count(frontend::extensionsMacro) != 0 ||
               frontend::allowsExtensions(compiler.getInvocation()),
           /*isPreambleChecked=*/headers.PrecompiledPreambleBytes.first != 0, wantsWarnings,
           isDevicePass || follows ? nullptr : check::recordConditionals(preprocessor)}));
      if (frontend::wantsRemarks(compiler.getInvocation()))
        settings.pipeline.explanation = Explanation::Remarks;
      if (settings.pipeline.explanation == Explanation::Remarks && !headers.GeneratePreamble)
        consumers.push_back(makePlainRemarks(compiler, settings));
      return std::make_unique<MultiplexConsumer>(std::move(consumers));
    }
    NestedParse nested;
    if (hasTileCode(compiler)) {
      honorPragmasInContraction(compiler.getLangOpts());
      replaceText(compiler);
    }
    return std::make_unique<ASTConsumer>();
  }

  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    std::string message;
    for (StringRef argument : arguments)
      if (const CommonOption *option = findCommonOption(argument)) {
        if (!option->set(argument.split('=').second, settings, message))
          return refuseArgument(compiler, message);
      } else if (argument == "explain") {
        settings.pipeline.explanation = Explanation::Remarks;
      } else if (argument.consume_front("dump=")) {
        if (!isStage(argument))
          return refuseArgument(
              compiler, formatv(message::NotAStage, "", argument, join(dumpStages(), ", ")));
        settings.pipeline.dumpStage = argument.str();
      } else {
        return refuseArgument(
            compiler, formatv(message::UnknownPluginArgument, argument, argumentsOfPlugin()));
      }
    std::optional<PlanPolicy> policy = planPolicyOfEnvironment(message);
    if (!policy)
      return refuseArgument(compiler, message);
    settings.pipeline.policy = *policy;
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  // The macros of the options, where the program does not define them itself: the runtime's headers
  // declare by them what an option allows.
  std::string macroDefinitions() const {
    std::string lines;
    for (const std::string &macro : settings.macros)
      lines += llvm::formatv("#ifndef {0}\n#define {0} 1\n#endif\n", macro);
    return lines;
  }

  // Its includes and macros are expanded, including the runtime's: without tile code Clang compiles
  // it.
  static void takePreprocessed(CompilerInstance &compiler, const FrontendInputFile &input) {
    SourceManager &sources = compiler.getSourceManager();
    if (!sources.getBufferData(sources.getMainFileID()).contains("cuda_tile.h\""))
      return;
    std::string name = input.getFile().str();
    refuseArgument(compiler, llvm::formatv(message::Preprocessed, name));
    if (auto file = sources.getFileEntryRefForID(sources.getMainFileID()))
      sources.overrideFileContents(*file, llvm::MemoryBuffer::getMemBuffer("", name));
    enterMainFileAnew(sources);
  }

  // The main file has as many locations as it had characters: different contents need new ones. It
  // has not been entered yet.
  static void enterMainFileAnew(SourceManager &sources) {
    if (auto file = sources.getFileEntryRefForID(sources.getMainFileID()))
      sources.setMainFileID(sources.createFileID(*file, SourceLocation(), SrcMgr::C_User));
  }

  static bool refuseArgument(const CompilerInstance &compiler, const std::string &message) {
    DiagnosticsEngine &engine = compiler.getDiagnostics();
    engine.Report(engine.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << message;
    return false;
  }

  // Clang's default for a GPU lets the back end contract multiplies and additions everywhere,
  // including CUDA's math library, whose powf then has an error of 33 ulp. With pragmas honored it
  // contracts only the program's own expressions, as nvcc does.
  static void honorPragmasInContraction(LangOptions &language) {
    if (language.CUDAIsDevice && language.getDefaultFPContractMode() == LangOptions::FPM_Fast)
      language.setDefaultFPContractMode(LangOptions::FPM_FastHonorPragmas);
  }

  // nvccLeniency, for a compiler that has already read its options.
  static void takeWhatNvccTakes(DiagnosticsEngine &diagnostics) {
    for (StringRef option : frontend::nvccLeniency)
      if (option.consume_front("no-error="))
        diagnostics.setDiagnosticGroupWarningAsError(option, false);
      else if (option.consume_front("no-"))
        diagnostics.setSeverityForGroup(diag::Flavor::WarningOrError, option,
                                        diag::Severity::Ignored);
  }

  static void addRuntimeHeaders(CompilerInstance &compiler) {
    HeaderSearch &search = compiler.getPreprocessor().getHeaderSearchInfo();
    std::vector<std::string> folders = frontend::librariesOfToolkit(compiler.getHeaderSearchOpts());
    folders.push_back(frontend::runtimeIncludeDirectory());
    for (const std::string &name : folders)
      if (auto folder = compiler.getFileManager().getOptionalDirectoryRef(name))
        search.AddSystemSearchPath(
            DirectoryLookup(*folder, SrcMgr::C_System, /*isFramework=*/false));
  }

  // A parse for each architecture; a device pass has one. Whatever is said could depend on what is
  // precompiled: then all is parsed as text.
  std::optional<std::vector<Translated>> translateHere(CompilerInstance &compiler,
                                                       ArrayRef<const GpuTarget *> targets) {
    if (settings.pipeline.dumpStage.empty() &&
        settings.pipeline.explanation == Explanation::Nothing) {
      Silence silence;
      diagnose::Explainer explainer(silence);
      auto results =
          translateWith(explainer, compiler, targets, frontend::Precompiled::LeadingIncludes);
      if (results && silence.isKept)
        return results;
    }
    Forwarder forwarder(compiler, /*wantsWarnings=*/compiler.getLangOpts().CUDAIsDevice);
    diagnose::Explainer explainer(forwarder);
    explainer.atEnd = [&](const ASTContext &context) { forwarder.sayKept(context); };
    return translateWith(explainer, compiler, targets, frontend::Precompiled::Nothing);
  }

  // Was nothing said?
  struct Silence : DiagnosticConsumer {
    bool isKept = true;
    void HandleDiagnostic(DiagnosticsEngine::Level level,
                          const clang::Diagnostic &diagnostic) override {
      DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
      isKept = false;
    }
  };

  // With as much precompiled; nothing if that is wanted and nothing is.
  std::optional<std::vector<Translated>> translateWith(diagnose::Explainer &explainer,
                                                       CompilerInstance &compiler,
                                                       ArrayRef<const GpuTarget *> targets,
                                                       frontend::Precompiled most) {
    using frontend::Precompiled;
    std::vector<Parse> parses;
    for (const GpuTarget *target : targets) {
      auto invocation = frontend::makeInvocation(compiler.getInvocation(), *target);
      for (const std::string &macro : settings.macros)
        invocation->getPreprocessorOpts().addMacroDef(macro);
      frontend::defineChecks(*invocation, settings.pipeline.checks);
      Precompiled used = frontend::usePrecompiledPrelude(*invocation, most);
      if (most != Precompiled::Nothing && used == Precompiled::Nothing)
        return std::nullopt;
      parses.push_back({parse(std::move(invocation), compiler.getVirtualFileSystemPtr(), explainer,
                              nullptr, {}, used),
                        target});
      if (parses.back().translation->hasErrors())
        break;
    }
    auto results = translateEach(parses, settings);
    return results ? std::optional(std::move(*results)) : std::nullopt;
  }

  void replaceText(CompilerInstance &compiler) {
    const CompilerInvocation &invocation = compiler.getInvocation();
    bool isDevicePass = compiler.getLangOpts().CUDAIsDevice;
    std::vector<const GpuTarget *> targets = frontend::architecturesOf(invocation);
    if (targets.empty())
      targets = {&defaultGpuTarget()};
    settings.headers = frontend::Headers::Separate;
    settings.marksOwnLines = true;
    compiler.getDiagnostics().setSeverityForGroup(diag::Flavor::WarningOrError, "gnu-line-marker",
                                                  diag::Severity::Ignored);
    settings.pipeline.sourceName = compiler.getFrontendOpts().Inputs.front().getFile().str();
    for (const GpuTarget *target : targets)
      settings.optionsText += (settings.optionsText.empty() ? "" : ", ") + target->name.str();
    StringRef text =
        compiler.getSourceManager().getBufferData(compiler.getSourceManager().getMainFileID());
    auto translated = isDevicePass ? std::nullopt
                                   : takeOver(invocation, text, targets, compiler.getDiagnostics());
    if (!translated && !compiler.getDiagnostics().hasErrorOccurred())
      translated = translateHere(compiler, targets);
    if (translated && isDevicePass)
      handOver(invocation, text, translated->front());
    if (translated && isDevicePass && !translated->front().filesOfPass.empty())
      translated->front().files = std::move(translated->front().filesOfPass);
    std::vector<frontend::EditedFile> files;
    if (translated)
      files = assembleFiles(std::move(*translated), settings);
    else // the errors are printed; there is nothing left to compile
      files = {{settings.pipeline.sourceName, ""}};
    SourceManager &sources = compiler.getSourceManager();
    for (const frontend::EditedFile &edited : files)
      if (auto file = edited.name == files.front().name
                          ? sources.getFileEntryRefForID(sources.getMainFileID())
                          : compiler.getFileManager().getOptionalFileRef(edited.name))
        sources.overrideFileContents(
            *file, llvm::MemoryBuffer::getMemBufferCopy(edited.contents, edited.name));
    enterMainFileAnew(sources);
  }

  Settings settings;
};

} // namespace

void registerPlugin() {
  static const FrontendPluginRegistry::Add<Action> registration("tessera", "CUDA Tile C++");
}

} // namespace tessera::driver
