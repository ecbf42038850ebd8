// Reads the command line with LLVM's library, checks the values, and makes the options of them.
#include "driver/Options.h"
#include "support/Messages.h"
#include "driver/Completion.h"
#include "driver/OptionChecks.h"
#include "driver/OptionDeclarations.h"
#include "frontend/parse/Installation.h"
#include "tessera/version.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <tuple>

using namespace llvm;

namespace tessera::driver {
namespace {

// The contents of --help.
Completion completionOf(Declarations &given) {
  Completion completion{"tessera", {}, {}};
  for (const cl::SubCommand *command : given.commands)
    completion.commands.push_back(
        {command->getName().str(), command->getDescription().str(), false, {}});
  std::vector<cl::SubCommand *> commands(given.commands.begin(), given.commands.end());
  commands.insert(commands.begin(), &cl::SubCommand::getTopLevel());
  // -o is a separate option after each command that has it.
  struct Listed {
    std::string key;
    const cl::Option *option;
    std::vector<std::string> behind;
  };
  std::vector<Listed> listed;
  for (cl::SubCommand *command : commands)
    for (const auto &[key, option] : cl::getRegisteredOptions(*command)) {
      auto known = llvm::find_if(
          listed, [&](const Listed &one) { return one.option == option && one.key == key; });
      if (known == listed.end())
        known = listed.insert(known, {key.str(), option, {}});
      known->behind.push_back(command->getName().str());
    }
  for (const auto &[key, registered, behind] : listed) {
    const cl::Option &option = *registered;
    // --help itself shows --help-list if there are categories.
    if (option.getOptionHiddenFlag() != cl::NotHidden && key != "help-list")
      continue;
    std::string name = (key.size() == 1 ? "-" : "--") + key;
    CompletedWord word{name,
                       option.HelpStr.split('\n').first.str(),
                       option.getValueExpectedFlag() == cl::ValueRequired,
                       {}};
    if (key == given.targets.ArgStr)
      for (unsigned i = 0; i < given.targets.getParser().getNumOptions(); ++i)
        word.values.push_back(given.targets.getParser().getOption(i).str());
    else if (key == given.dumpStage.ArgStr)
      word.values.assign(dumpStages().begin(), dumpStages().end());
    else if (key == given.dumpAfter.ArgStr)
      word.values = dumpedPasses();
    else if (key == given.optimization.ArgStr)
      word.values.assign(std::begin(levels), std::end(levels));
    else if (key == given.arch.ArgStr)
      for (const GpuTarget &target : gpuTargets())
        word.values.push_back(target.name.str());
    if (behind.size() < commands.size())
      word.behind = behind;
    completion.options.push_back(std::move(word));
  }
  llvm::sort(completion.options, [](auto &a, auto &b) {
    return std::tie(a.name, a.behind) < std::tie(b.name, b.behind);
  });
  return completion;
}

// Reports the library's message about an unknown option, and a suggestion.
bool readOptions(ArrayRef<char *> words, Declarations &given) {
  std::string said;
  raw_string_ostream messages(said);
  if (cl::ParseCommandLineOptions(int(words.size()), words.data(),
                                  "compiles CUDA Tile C++ to SIMT CUDA C++\n", &messages))
    return true;
  errs() << said;
  constexpr StringLiteral unknown = "Unknown command line argument '";
  StringRef word = StringRef(said).split(unknown).second.split('\'').first;
  return given.runCommand && !word.empty() && fail(formatv(message::ProgramArguments, word));
}

bool readCommonOptions(Declarations &given, Settings &settings) {
  std::string message;
#define TESSERA_COMMON_FLAG(NAME, CATEGORY, DOES, FOR_NVCC)                                        \
  if (given.NAME && !findCommonOption(#NAME)->set("", settings, message))                          \
    return fail(message);
#define TESSERA_COMMON_VALUE(NAME, CATEGORY, VALUE, DOES, FOR_NVCC)                                \
  if (given.NAME.getNumOccurrences() &&                                                            \
      !findCommonOption(#NAME)->set(given.NAME, settings, message))                                \
    return fail(message);
#include "driver/CommonOptions.def"
  return true;
}

std::vector<std::string> clangArguments(Declarations &given, const Settings &settings) {
  std::vector<std::string> words;
  auto add = [&](StringRef flag, const cl::list<std::string> &values) {
    for (const std::string &value : values)
      words.push_back((flag + value).str());
  };
  add("-I", given.includeFolders);
  for (const std::string &macro : settings.macros)
    words.push_back("-D" + macro);
  add("-D", given.definitions);
  add("-U", given.undefinitions);
  add("-W", given.warnings);
  for (const std::string &name : given.includedFiles)
    words.insert(words.end(), {"-include", name});
  if (!given.standard.empty())
    words.push_back("-std=" + given.standard);
  return words;
}

} // namespace

std::optional<Options> parseOptions(int argc, char **argv) {
  Options options;
  char **separator =
      std::find_if(argv + 1, argv + argc, [](const char *word) { return StringRef(word) == "--"; });
  for (char **word = separator; word != argv + argc; ++word)
    if (word != separator)
      options.programArguments.push_back(*word);
  cl::ResetCommandLineParser();
  Declarations given;
  cl::HideUnrelatedOptions({&given.category, &given.languageCategory, &given.insideCategory});
  for (cl::SubCommand *command : given.commands)
    cl::HideUnrelatedOptions({&given.category, &given.languageCategory, &given.insideCategory},
                             *command);
  if (StringRef shell = argc == 2 ? argv[1] : "";
      shell.consume_front(completionOption) && shell.consume_front("="))
    std::exit(printCompletion(completionOf(given), shell, outs()) ||
                      fail(formatv(message::NotAShell, shell))
                  ? 0
                  : 2);
  cl::SetVersionPrinter([](raw_ostream &out) { out << "tessera " TESSERA_VERSION_STRING "\n"; });
  if (!readOptions(ArrayRef(argv, separator), given))
    return std::nullopt;
  if (given.includeFolder) {
    outs() << frontend::runtimeIncludeDirectory() << '\n';
    std::exit(0);
  }
  if (!checkSurplus(given) || !checkInput(given) || !checkDump(given) ||
      !checkOptimization(given.optimization))
    return std::nullopt;
  if (given.dumpCommand) {
    options.action = Options::Dump;
    options.commandLine.file = given.bytecode;
    return options;
  }
  options.architectures = readArchitectures(given.arch);
  if (options.architectures.empty())
    return std::nullopt;
  options.texts = readTexts(given);
  if (options.texts.empty() || !checkPythonOptions(given))
    return std::nullopt;

  options.action = given.checkCommand     ? Options::Check
                   : given.explainCommand ? Options::Explain
                   : given.runCommand     ? Options::Run
                   : given.buildCommand   ? Options::Build
                   : given.profileCommand ? Options::Profile
                                          : Options::Translate;
  if (!readCommonOptions(given, options.settings))
    return std::nullopt;
  options.commandLine = {given.file, options.architectures.front()->name.str(),
                         frontend::findCudaToolkit(given.cudaPath),
                         clangArguments(given, options.settings)};
  if (options.commandLine.cudaPath.empty())
    return given.cudaPath.empty() ? fail(message::NoToolkit)
                                  : fail(formatv(message::NotAToolkit, given.cudaPath)),
           std::nullopt;
  options.isTargetChosen = !given.targets.empty() || given.ptx;
  options.isPtx = given.ptx;
  if (options.isPtx && options.architectures.size() > 1)
    return fail(formatv(message::OneArchitecture, "--ptx")), std::nullopt;
  if (options.action == Options::Build) {
    SmallString<128> name(given.file);
    sys::path::replace_extension(name, options.isPtx ? "ptx" : "so");
    options.library = given.library.empty() ? name.str().str() : given.library;
    if (isOneFile(options.library, given.file))
      return fail(formatv(message::OutputIsProgram, options.library)), std::nullopt;
  }
  options.signatureOf = given.signature;
  options.timeout = given.timeout;
  if (given.verify)
    options.verification = {given.verifyBlocks, given.verifyUlps, given.verifyReport};
  if (options.verification && options.isTargetChosen && options.texts.front().target == Target::Cpu)
    return fail(message::VerifiesOthers), std::nullopt;
  options.checkList = given.check;
  options.profileOutput = given.profileOutput;
  options.recordOfNcu = given.recordOfNcu;
  options.profile = given.profile;
  options.dependencyFile = given.dependencyFile;
  PipelineOptions &pipeline = options.settings.pipeline;
  pipeline.dumpStage = given.dumpStage;
  pipeline.dumpAfter = given.dumpAfter;
  pipeline.dumpStream = &outs();
  pipeline.timing = given.timing;
  if (options.action == Options::Explain)
    pipeline.explanation = given.page.empty() ? Explanation::Remarks : Explanation::Study;
  if (options.action == Options::Profile)
    pipeline.explanation = Explanation::Study;
  bool isPage = options.action == Options::Explain && !given.page.empty();
  options.measures = given.registers == cl::BOU_UNSET ? isPage : given.registers == cl::BOU_TRUE;
  pipeline.forgottenBarrier = given.forgottenBarrier;
  options.isDebugged = given.debug;
  options.optimization = given.optimization;
  std::string ofPolicy;
  // Of developers: what raise made of a kernel, without a plan.
  options.settings.pipeline.isWhole = std::getenv("TESSERA_WHOLE_TILES") != nullptr;
  std::optional<PlanPolicy> policy = planPolicyOfEnvironment(ofPolicy);
  if (!policy)
    return fail(ofPolicy), std::nullopt;
  pipeline.policy = *policy;
  pipeline.sourceName = given.file;
  options.settings.optionsText = "--arch=" + given.arch;
  if (!checkDependencyFile(options))
    return std::nullopt;
  return options;
}

} // namespace tessera::driver
