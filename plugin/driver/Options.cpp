// All options are declared here; clang++'s options are forwarded unchanged.
#include "driver/Options.h"
#include "Counted.h"
#include "Messages.h"
#include "Near.h"
#include "driver/Completion.h"
#include "frontend/Installation.h"
#include "plan/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <tuple>

using namespace llvm;

namespace tessera::driver {
namespace {

// A target by name, with our error message.
class TargetParser : public cl::parser<Target> {
public:
  using cl::parser<Target>::parser;

  bool parse(cl::Option &option, StringRef name, StringRef word, Target &target) {
    std::vector<std::string> names;
    for (const auto &known : Values)
      names.push_back(known.Name.str());
    if (llvm::is_contained(names, word))
      return cl::parser<Target>::parse(option, name, word, target);
    return option.error(formatv(message::NotATarget, word, namesNear(word, names)).str());
  }
};

// Constructed after the options of LLVM, MLIR and Clang are removed from the parser, some of which
// have the same names.
struct Declarations {
  cl::OptionCategory category{"Making and running"};
  cl::OptionCategory languageCategory{"The language"};
  cl::OptionCategory insideCategory{"Looking inside"};
  cl::SubCommand checkCommand{"check", "report errors and print nothing else"};
  cl::SubCommand explainCommand{"explain",
                                "print the decisions of the compiler for each kernel, and why"};
  cl::SubCommand runCommand{"run",
                            "build the program and run it; arguments of the program follow --"};
  cl::SubCommand buildCommand{"build", "build a shared library, for hosts that load it (dlopen)"};
  std::array<cl::SubCommand *, 4> commands{&checkCommand, &explainCommand, &runCommand,
                                           &buildCommand};
  cl::cat inCategory{category}, inLanguage{languageCategory}, inside{insideCategory};
  cl::sub everywhere{cl::SubCommand::getAll()};

  cl::opt<std::string> file{cl::Positional, cl::desc("FILE.cu"), cl::value_desc("file"), inCategory,
                            everywhere};
  // Words after it are refused, with a message that explains the correct use.
  cl::list<std::string> behindFile{cl::Positional, cl::sub(cl::SubCommand::getTopLevel()),
                                   cl::sub(checkCommand), cl::sub(explainCommand),
                                   cl::sub(buildCommand)};
  cl::list<std::string> arguments{cl::Positional, cl::desc("[-- ARGUMENT...]"),
                                  cl::sub(runCommand)};
  cl::list<std::string> outputs{
      "o",
      cl::desc("write the generated code there, - for standard output; one -o for each target, in "
               "order\n"
               "(default FILE.simt.cu; for several targets FILE.TARGET.cu)"),
      cl::value_desc("file"), inCategory};
  cl::opt<std::string> page{
      "o", cl::desc("write an HTML page with the program, its generated kernels and their plans"),
      cl::value_desc("file.html"), inside, cl::sub(explainCommand)};
  cl::opt<std::string> library{
      "o", cl::desc("write the library there (default FILE.so; with --ptx FILE.ptx)"),
      cl::value_desc("file.so"), inCategory, cl::sub(buildCommand)};
  cl::opt<bool> ptx{"ptx", cl::desc("build PTX of the kernels instead, for one architecture"),
                    inCategory, cl::sub(buildCommand)};
  cl::opt<std::string> signature{
      "signature",
      cl::desc("print the parameters of a kernel template as JSON, for hosts that deduce\n"
               "its template arguments"),
      cl::value_desc("kernel"), inside, cl::sub(checkCommand)};
  cl::opt<cl::boolOrDefault> registers{
      "registers",
      cl::desc("print registers and spills, which ptxas reports in seconds (default with -o)"),
      inside, cl::sub(explainCommand)};
  cl::opt<std::string> dependencyFile{
      "depfile",
      cl::desc("list the files that the generated code depends on there, as a rule for make"),
      cl::value_desc("file"),
      inCategory,
      cl::sub(cl::SubCommand::getTopLevel()),
      cl::sub(checkCommand),
      cl::sub(buildCommand)};
  cl::opt<bool> includeFolder{
      "print-include-folder",
      cl::desc(
          "print the folder of the headers that generated code includes, for its compiler's -I"),
      inCategory};
  cl::list<Target, bool, TargetParser> targets{
      "target",
      cl::desc("compile for one or several targets\n(default gpu; for run and build cpu if the "
               "machine has no GPU)"),
      cl::values(clEnumValN(Target::Gpu, "gpu", "CUDA C++ for a GPU"),
                 clEnumValN(Target::Cpu, "cpu", "C++ that runs tiles on the CPU"),
                 clEnumValN(Target::Emulate, "emulate",
                            "C++ that emulates the threads of generated kernels on the CPU")),
      cl::value_desc("target[,target...]"),
      cl::CommaSeparated,
      inCategory,
      everywhere};
  cl::opt<std::string> arch{"arch",
                            cl::desc("compile for these GPUs (default sm_90a)"),
                            cl::value_desc("sm_NN[,sm_NN...]"),
                            cl::init("sm_90a"),
                            inCategory,
                            everywhere};
  cl::opt<std::string> cudaPath{"cuda-path", cl::desc("use this CUDA toolkit"),
                                cl::value_desc("folder"), inCategory, everywhere};
  cl::list<std::string> includeFolders{
      "I",        cl::Prefix, cl::desc("search headers in this folder"), cl::value_desc("folder"),
      inLanguage, everywhere};
  cl::list<std::string> definitions{
      "D",        cl::Prefix, cl::desc("define a macro"), cl::value_desc("name[=value]"),
      inLanguage, everywhere};
  cl::list<std::string> undefinitions{
      "U",        cl::Prefix, cl::desc("undefine a macro"), cl::value_desc("name"),
      inLanguage, everywhere};
  cl::list<std::string> includedFiles{"include", cl::desc("include this file before the program"),
                                      cl::value_desc("file"), inLanguage, everywhere};
  cl::list<std::string> warnings{"W",
                                 cl::Prefix,
                                 cl::desc("turn a warning of Clang on or off"),
                                 cl::value_desc("warning"),
                                 inLanguage,
                                 everywhere};
  cl::opt<std::string> standard{"std", cl::desc("language standard (default c++20)"),
                                cl::value_desc("standard"), inLanguage, everywhere};
  cl::opt<bool> extensions{
      "extensions",
      cl::desc("allow tile code to call device and constexpr functions, and recursion\n"
               "that ends at compile time; defines TESSERA_EXTENSIONS"),
      inLanguage, everywhere};
  cl::opt<bool> debug{"g", cl::desc("add debug information, also with the lines of kernels"),
                      inCategory, cl::sub(runCommand), cl::sub(buildCommand)};
  cl::opt<std::string> optimization{
      "O",
      cl::desc("optimization level for the generated code: 0, 1, 2 or 3 (default 2)"),
      cl::value_desc("level"),
      cl::Prefix,
      inCategory,
      cl::init(Options().optimization),
      cl::sub(runCommand),
      cl::sub(buildCommand)};
  cl::opt<unsigned> timeout{
      "timeout",
      cl::desc("end the program after this time, and print which kernel ran (status 124)"),
      cl::value_desc("seconds"), inCategory, cl::sub(runCommand)};
  cl::opt<std::string> checks{
      "check",
      cl::desc("build kernels that stop at the first operation that fails a check:"
#define TESSERA_CHECK(NAME, MACRO, FINDS) "\n" #NAME ": " FINDS
#include "Checks.def"
#undef TESSERA_CHECK
               ),
      cl::value_desc("bounds,nan,inf"), inCategory, everywhere};
  cl::opt<std::string> dumpStage{
      "dump", cl::desc("print the program after a stage: llvm, tile, plan or simt"),
      cl::value_desc("stage"), inside, everywhere};
  cl::opt<std::string> dumpAfter{"dump-after",
                                 cl::desc("print the tile IR after a pass, or after all"),
                                 cl::value_desc("pass"), inside, everywhere};
  cl::opt<int64_t> forgottenBarrier{
      "forget-barrier",
      cl::desc("leave out the barrier of this number of each kernel, from 1"),
      cl::value_desc("N"),
      cl::Hidden,
      inside,
      everywhere};
  cl::opt<bool> timing{"time", cl::desc("print the time of every stage"), inside, everywhere};
  cl::extrahelp rest{R"(
EXAMPLES:

  tessera run x.cu -- 1024            on the GPU if there is one, else on the CPU
  tessera run --target=emulate x.cu   the generated kernels on the CPU, with reports of races
  tessera build x.cu -o x.so          a library with the program's functions
  tessera x.cu -o -                   the CUDA C++ that is generated for x.cu
  tessera explain x.cu                decisions of the compiler at lines of x.cu, and advice

EXIT STATUS:

  0   success
  1   the program is refused
  2   the command line or the machine has an error
  70  tessera crashed, and printed where
  run returns the program's status; 86 after reports of the emulator, 124 after --timeout

ENVIRONMENT:

  CUDA_HOME, CUDA_PATH   the CUDA toolkit, unless --cuda-path names one
  TESSERA_CACHE_DIR      the folder of precompiled headers (default: the user's cache folder)
  TESSERA_EMULATE_SEED   a number that selects an order of blocks, warps and lanes, or 'random'
  TESSERA_EMULATE_STRICT 1: report blocks that write equal values to one location, too
  TESSERA_EMULATE_HOST_MEMORY
                         1: allow kernels to access memory of malloc, as some GPUs do
  TESSERA_PATIENCE       without a GPU: report a kernel when no block of it ends for this many
                         seconds (default 30; 0: never)
  TESSERA_TIMEOUT        without a GPU: the value of --timeout for every program
)"};
};

bool fail(const Twine &message) {
  errs() << "tessera: " << message << '\n';
  return false;
}

bool checkInput(const Declarations &given) {
  const std::string &file = given.file;
  if (file.empty())
    return fail(message::NoInput);
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(file, status))
    return fail(formatv(message::CannotRead, file, error.message()));
  if (sys::fs::is_directory(status))
    return fail(formatv(message::IsFolder, file));
  if (std::error_code error = sys::fs::access(file, sys::fs::AccessMode::Exist))
    return fail(formatv(message::CannotRead, file, error.message()));
  return true;
}

// For a name that is no row.
bool refuseArchitecture(StringRef name) {
  StringRef digits = name;
  bool isSpelled = digits.consume_front("sm_");
  unsigned number = 0;
  bool hasNumber = !digits.take_while(isDigit).getAsInteger(10, number);
  if (isSpelled && hasNumber && number < gpuTargets().front().number)
    return fail(formatv(message::OlderArchitecture, name));
  std::vector<std::string> all, near;
  auto distance = [&](const GpuTarget &row) { return AbsoluteDifference(row.number, number); };
  unsigned least = distance(*llvm::min_element(
      gpuTargets(), [&](auto &a, auto &b) { return distance(a) < distance(b); }));
  for (const GpuTarget &row : gpuTargets()) {
    all.push_back(row.name.str());
    if (hasNumber && distance(row) == least)
      near.push_back(row.name.str());
  }
  std::string nearest = near.empty() ? "" : " (the closest: " + join(near, ", ") + ")";
  return fail(formatv(message::UnknownArchitecture, name, nearest, join(all, ", ")));
}

// The rows of "sm_80,sm_90a"; nothing after a message.
std::vector<const GpuTarget *> readArchitectures(const std::string &list) {
  std::vector<const GpuTarget *> rows;
  SmallVector<StringRef> names;
  StringRef(list).split(names, ',');
  for (StringRef name : names) {
    const GpuTarget *row = findGpuTarget(name);
    if (!row)
      return refuseArchitecture(name), std::vector<const GpuTarget *>();
    rows.push_back(row);
  }
  llvm::sort(rows, [](auto *a, auto *b) { return a->number < b->number; });
  for (size_t i = 1; i < rows.size(); ++i)
    if (rows[i]->number == rows[i - 1]->number)
      return fail(formatv(message::OneOfTwoArchitectures, list, rows[i - 1]->name, rows[i]->name)),
             std::vector<const GpuTarget *>();
  return rows;
}

StringRef nameOf(Target target) {
  return target == Target::Cpu ? "cpu" : target == Target::Gpu ? "gpu" : "emulate";
}

// Do two names denote one file, whether or not it exists?
bool isOneFile(const std::string &a, const std::string &b) {
  if (sys::fs::equivalent(a, b))
    return true;
  SmallString<128> first(a), second(b);
  for (SmallString<128> *path : {&first, &second}) {
    (void)sys::fs::make_absolute(*path); // relative names are compared unchanged
    sys::path::remove_dots(*path, /*remove_dot_dot=*/true);
  }
  return first == second;
}

// An output for each target, in the order of the command line; nothing after a message.
std::vector<Text> readTexts(const Declarations &given) {
  std::vector<Text> texts;
  auto refuse = [](const Twine &message) { return fail(message), std::vector<Text>(); };
  for (Target target : given.targets) {
    if (llvm::any_of(texts, [&](const Text &text) { return text.target == target; }))
      return refuse(formatv(message::TargetTwice, nameOf(target)));
    texts.push_back({target, "", ""});
  }
  if (texts.empty())
    texts.push_back({Target::Gpu, "", ""});
  if (given.runCommand && texts.size() > 1)
    return refuse(formatv(message::OneTarget, "run"));
  if (given.buildCommand && texts.size() > 1)
    return refuse(formatv(message::OneTarget, "build"));
  if (given.ptx && texts.front().target != Target::Gpu)
    return refuse(message::PtxOfGpu);
  if (given.explainCommand && texts.size() > 1)
    return refuse(formatv(message::OneTarget, "explain"));
  if (texts.size() > 1 && given.dumpStage == "simt")
    return refuse(formatv(message::OneTarget, "--dump=simt"));
  if (!given.outputs.empty() && given.outputs.size() != texts.size())
    return refuse(formatv(message::OutputForEachTarget, counted(given.outputs.size(), "time"),
                          counted(texts.size(), "target")));
  if (given.explainCommand && texts.front().target == Target::Cpu)
    return refuse(message::ExplainsGpu);
  if (given.explainCommand) {
    texts.front().output = given.page;
    if (given.page != "-" && isOneFile(given.page, given.file))
      return refuse(formatv(message::OutputIsProgram, given.page));
  }
  if (given.runCommand || given.buildCommand || given.checkCommand || given.explainCommand)
    return texts;
  for (auto [i, text] : llvm::enumerate(texts)) {
    SmallString<128> name(given.file);
    sys::path::replace_extension(name, (texts.size() == 1 ? "simt" : nameOf(text.target)) + ".cu");
    text.output = given.outputs.empty() ? name.str().str() : given.outputs[i];
    for (const Text &other : ArrayRef(texts).take_front(i))
      if (isOneFile(text.output, other.output))
        return refuse(formatv(message::OutputOfTwoTargets, text.output));
    if (text.output == "-")
      continue;
    if (isOneFile(text.output, given.file))
      return refuse(formatv(message::OutputIsProgram, text.output));
    StringRef folder = sys::path::parent_path(text.output);
    text.home = folder.empty() ? "." : folder.str();
  }
  return texts;
}

// The rule is for a file that is written.
bool checkDependencyFile(const Options &options) {
  if (options.dependencyFile.empty())
    return true;
  for (const Text &text : options.texts) {
    if (text.output == "-")
      return fail(message::DepfileOfStream);
    if (isOneFile(text.output, options.dependencyFile))
      return fail(formatv(message::DepfileIsOutput, text.output));
  }
  if (isOneFile(options.commandLine.file, options.dependencyFile))
    return fail(formatv(message::OutputIsProgram, options.dependencyFile));
  return options.settings.pipeline.dumpStage.empty() || fail(message::DepfileOfDump);
}

// The names that --dump-after knows.
std::vector<std::string> dumpedPasses() {
  std::vector<std::string> names = plan::passNames();
  names.insert(names.begin(), "all");
  return names;
}

bool checkDump(const Declarations &given) {
  if (given.dumpStage.getNumOccurrences() && !isStage(given.dumpStage))
    return fail(formatv(message::NotAStage, "--", given.dumpStage, join(dumpStages(), ", ")));
  if (!given.dumpAfter.getNumOccurrences())
    return true;
  std::vector<std::string> names = dumpedPasses();
  return is_contained(names, given.dumpAfter.getValue()) ||
         fail(formatv(message::NotAPass, given.dumpAfter, namesNear(given.dumpAfter, names)));
}

// Words that no option takes.
bool checkSurplus(const Declarations &given) {
  auto names = map_range(given.commands, [](auto *command) { return command->getName().str(); });
  std::vector<std::string> commands(names.begin(), names.end());
  const std::string &file = given.file;
  if (!given.arguments.empty())
    return fail(formatv(message::ProgramArguments, join(given.arguments, " ")));
  if (given.behindFile.empty())
    return true;
  if (is_contained(commands, file))
    return fail(formatv(message::CommandStandsFirst, file));
  if (!sys::path::has_extension(file) && !sys::fs::exists(file))
    return fail(formatv(message::UnknownCommand, file, namesNear(file, commands)));
  return fail(formatv(message::OneProgram, file, given.behindFile.front()));
}

constexpr StringLiteral levels[] = {"0", "1", "2", "3"};

bool checkOptimization(const std::string &level) {
  return is_contained(levels, StringRef(level)) ||
         fail(formatv(message::NotAnOptimizationLevel, level));
}

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

std::vector<std::string> clangArguments(Declarations &given) {
  std::vector<std::string> words;
  auto add = [&](StringRef flag, const cl::list<std::string> &values) {
    for (const std::string &value : values)
      words.push_back((flag + value).str());
  };
  add("-I", given.includeFolders);
  if (given.extensions)
    words.push_back(std::string("-D") + frontend::extensionsMacro);
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
  cl::SetVersionPrinter([](raw_ostream &out) { out << "tessera 0.1\n"; });
  if (!readOptions(ArrayRef(argv, separator), given))
    return std::nullopt;
  if (given.includeFolder) {
    outs() << frontend::runtimeIncludeDirectory() << '\n';
    std::exit(0);
  }
  if (!checkSurplus(given) || !checkInput(given) || !checkDump(given) ||
      !checkOptimization(given.optimization))
    return std::nullopt;
  options.architectures = readArchitectures(given.arch);
  if (options.architectures.empty())
    return std::nullopt;
  options.texts = readTexts(given);
  if (options.texts.empty())
    return std::nullopt;

  options.action = given.checkCommand     ? Options::Check
                   : given.explainCommand ? Options::Explain
                   : given.runCommand     ? Options::Run
                   : given.buildCommand   ? Options::Build
                                          : Options::Translate;
  options.commandLine = {given.file, options.architectures.front()->name.str(),
                         frontend::findCudaToolkit(given.cudaPath), clangArguments(given)};
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
  options.dependencyFile = given.dependencyFile;
  PipelineOptions &pipeline = options.settings.pipeline;
  pipeline.dumpStage = given.dumpStage;
  pipeline.dumpAfter = given.dumpAfter;
  pipeline.dumpStream = &outs();
  pipeline.timing = given.timing;
  if (options.action == Options::Explain)
    pipeline.explanation = given.page.empty() ? Explanation::Remarks : Explanation::Study;
  bool isPage = options.action == Options::Explain && !given.page.empty();
  options.measures = given.registers == cl::BOU_UNSET ? isPage : given.registers == cl::BOU_TRUE;
  pipeline.forgottenBarrier = given.forgottenBarrier;
  options.isDebugged = given.debug;
  options.optimization = given.optimization;
  std::string ofPolicy;
  std::optional<PlanPolicy> policy = planPolicyOfEnvironment(ofPolicy);
  if (!policy)
    return fail(ofPolicy), std::nullopt;
  pipeline.policy = *policy;
  if (given.checks.getNumOccurrences()) {
    std::string message;
    std::optional<Checks> checks = readChecks(given.checks, message);
    if (!checks)
      return fail(message), std::nullopt;
    pipeline.checks = *checks;
  }
  pipeline.sourceName = given.file;
  pipeline.optionsText = "--arch=" + given.arch;
  if (!checkDependencyFile(options))
    return std::nullopt;
  return options;
}

} // namespace tessera::driver
