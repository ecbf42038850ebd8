// One command line per target, written out; the rest is files and processes.
#include "driver/Run.h"

#include "support/Messages.h"
#include "driver/CompilerReport.h"
#include "driver/Files.h"
#include "driver/GpuBuild.h"
#include "driver/PlanAgain.h"
#include "driver/PrecompiledRuntime.h"
#include "driver/Processes.h"
#include "driver/PtxasReport.h"
#include "driver/Translate.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/Invocation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace tessera::driver {
namespace {

void say(StringRef message) { errs() << "tessera: " << message << '\n'; }

bool isOlder(StringRef standard, unsigned year) {
  unsigned own = 0;
  return standard.consume_front("c++") || standard.consume_front("gnu++")
             ? !standard.getAsInteger(10, own) && (own > 90 || own < year)
             : false;
}

} // namespace

Words compilerWords(const Options &options, unsigned runtimeYear) {
  SmallString<128> folder = sys::path::parent_path(options.commandLine.file);
  Words words = {frontend::clangExecutable(),
                 "-std=c++" + std::to_string(runtimeYear),
                 "-O" + options.optimization,
                 "-w",
                 "-fno-crash-diagnostics", // which would name deleted files
                 "-iquote",
                 folder.empty() ? std::string(".") : folder.str().str()};
  for (StringRef option : frontend::nvccLeniency)
    words.push_back("-W" + option.str());
  if (options.isDebugged)
    words.push_back("-g");
  for (const std::string &word : options.commandLine.arguments)
    if (StringRef standard = word;
        !standard.consume_front("-std=") || !isOlder(standard, runtimeYear))
      words.push_back(word);
  words.insert(words.end(), {"-isystem", frontend::runtimeIncludeDirectory()});
  std::string libraries = options.commandLine.cudaPath + "/include/cccl";
  if (sys::fs::is_directory(libraries))
    words.insert(words.end(), {"-isystem", libraries});
  return words;
}

namespace {

// Plain C++ on this machine. The first line of generated code marks it, so that the precompiled
// form knows it, too; reports of the emulator name lines.
Words compileWords(const Options &options, const std::string &text) {
  Words words = compilerWords(options, 20);
  // CPU and emulator compute the same on every machine; the program's own option wins.
  words.insert(words.begin() + 1, "-ffp-contract=off");
  if (options.action == Options::Build)
    words.push_back("-fPIC");
  words.insert(words.end(), {"-x", "c++"});
  if (options.texts.front().target == Target::Cpu)
    words.insert(words.end(), std::begin(frontend::vectorisation),
                 std::end(frontend::vectorisation));
  // A failed check names the line.
  if (options.texts.front().target == Target::Cpu && !options.isDebugged &&
      options.settings.pipeline.checks.any())
    words.push_back("-gline-tables-only");
  for (const std::string &macro : options.settings.macros)
    words.push_back("-D" + macro + "=1");
  if (options.texts.front().target == Target::Cpu)
    for (const std::string &macro : options.settings.pipeline.checks.macros())
      words.push_back("-D" + macro + "=1");
  else {
    words.insert(words.end(), {"-DTESSERA_EMULATE", "-DTESSERA_SIMT=1", "-gline-tables-only"});
    if (options.settings.pipeline.isWhole)
      words.insert(words.end(), {"-DTESSERA_WHOLE_TILES=1", "-fno-strict-aliasing"});
  }
  words.insert(words.end(), {"-isystem", options.commandLine.cudaPath + "/include", text});
  return words;
}

// Symbols in a library bind locally first.
Words libraryWords() { return {"-shared", "-fPIC", "-Wl,-Bsymbolic"}; }

// With the libraries that replace a GPU.
Words linkWords(const Options &options, const std::string &program) {
  std::string library = frontend::runtimeLibraryDirectory();
  Words words = {"-o",
                 program,
                 "-x",
                 "none",
                 library + "/libtessera_emulate.a",
                 library + "/libtessera_cpu.a",
                 "-lboost_context",
                 "-lpthread",
                 "-ldl"};
  if (options.action == Options::Build) {
    Words shared = libraryWords();
    words.insert(words.end(), shared.begin(), shared.end());
    words.push_back("-Wl,--exclude-libs,ALL");
  }
  if (std::string linker = frontend::linkerOption(); !linker.empty())
    words.push_back(linker);
  return words;
}

// Compiles and links an output in a folder.
struct Building {
  const Options &options;
  const TemporaryFolder &folder;
  std::string product;

  // The exit status, 0 or another after a message; `report` receives the compilers' output for
  // correct code.
  int operator()(const Outcome &outcome, std::string &report) const {
    std::string source = folder / "program.cu";
    if (Error error = writeFile(source, outcome.texts.front()))
      return say(formatv(message::CannotWrite, source, toString(std::move(error))).str()), 2;
    Surroundings surroundings{&folder, &report, &report};
    const bool isForGpu = options.texts.front().target == Target::Gpu;
    int status = isForGpu ? buildForGpu(options, source, product, mayPlanAgain(outcome.planned),
                                        surroundings)
                          : compileWithRuntime(compileWords(options, source),
                                               linkWords(options, product), options, surroundings);
    if (status == 0)
      return 0;
    auto [blame, why] = explainFailure(options.commandLine.file, folder, report);
    if (blame != Blame::Machine) // a crash there prints more than that
      errs() << forUser(withoutUse(report));
    if (why.empty() && status < 0)
      return Outcome::unusable; // it could not be run, or was ended from outside
    say(why.empty() ? message::NotCompiled : StringRef(why));
    return blame == Blame::Link      ? Outcome::refused
           : blame == Blame::Tessera ? Outcome::crashed
                                     : Outcome::unusable;
  }
};

} // namespace

// Kernels about which ptxas complains are planned again.
int build(const Outcome &outcome, Options options, const TemporaryFolder &folder,
          const std::string &product) {
  Building compile{options, folder, product};
  std::string report;
  if (int status = compile(outcome, report))
    return status;
  const std::string first = folder / "first";
  int status = 0;
  auto again = [&](const KernelPolicies &policies) -> std::optional<CompiledPlan> {
    if (policies.empty()) {
      if (std::error_code error = sys::fs::rename(first, product))
        status = (say(formatv(message::CannotWrite, product, error.message()).str()), 2);
      return status ? std::nullopt : std::optional(CompiledPlan{outcome.planned, report});
    }
    if (!sys::fs::exists(first) && sys::fs::rename(product, first))
      return std::nullopt;
    options.settings.pipeline.ofKernels = policies;
    Outcome planned = translate(options, nulls()); // the diagnostics have been printed
    std::string of;
    if (planned.status != 0)
      return std::nullopt;
    status = compile(planned, of);
    return status ? std::nullopt : std::optional(CompiledPlan{planned.planned, of});
  };
  std::optional<CompiledPlan> last = planAgain({outcome.planned, report}, again, errs());
  if (last)
    errs() << forUser(withoutUse(last->report));
  return last ? 0 : status;
}

bool hasGpu() {
  std::error_code error;
  for (sys::fs::directory_iterator entry("/dev", error), end; !error && entry != end;
       entry.increment(error)) {
    StringRef name = sys::path::filename(entry->path());
    if (name == "dxg" || (name.consume_front("nvidia") && !name.empty() && isDigit(name.front())))
      return true;
  }
  return false;
}

Target sayDefaultRunTarget() {
  bool isGpu = hasGpu();
  say(isGpu ? message::OnGpu : message::OnCpu);
  return isGpu ? Target::Gpu : Target::Cpu;
}

std::optional<std::string> findTimeKeeper(const Options &options) {
  if (!options.timeout || options.texts.front().target != Target::Gpu)
    return "";
  if (auto found = sys::findProgramByName("timeout"))
    return *found;
  return say(message::NoTimeKeeper), std::nullopt;
}

// Without a GPU, the runtime limits the time, and knows the kernel.
Ending runLimited(Words words, const Options &options, const std::string &keeper) {
  std::string seconds = std::to_string(options.timeout);
  if (!keeper.empty())
    words.insert(words.begin(), {keeper, "--kill-after=2", seconds});
  else if (options.timeout)
    setenv("TESSERA_TIMEOUT", seconds.c_str(), /*overwrite=*/1);
  outs().flush();
  return standInFor(words);
}

int statusAfter(const Ending &ending, const Options &options, const std::string &keeper) {
  constexpr int timedOut = 124;
  if (!keeper.empty() && ending.status == timedOut)
    say(formatv(message::TimedOut, options.timeout).str());
  if (!ending.signal)
    return ending.status < 0 ? Outcome::unusable : ending.status;
  // The signal that ended the program also ends this process, for its parent.
  if (is_contained({SIGHUP, SIGINT, SIGTERM, SIGPIPE}, ending.signal))
    endBySignal(ending.signal);
  say(formatv(message::ProgramEndedBySignal, strsignal(ending.signal)).str());
  constexpr int base = 128; // the shell's convention
  return base + ending.signal;
}

void nameSymbolizer() {
  SmallString<128> symbolizer = sys::path::parent_path(frontend::clangExecutable());
  sys::path::append(symbolizer, "llvm-symbolizer");
  if (sys::fs::exists(symbolizer))
    setenv("TESSERA_SYMBOLIZER", symbolizer.c_str(), /*overwrite=*/0);
}

// `keeper` enforces the options' time limit on a GPU. The folder of the build is removed before it
// returns.
static Ending runBuilt(const Outcome &outcome, const Options &options, const std::string &keeper) {
  TemporaryFolder folder;
  if (!folder)
    return say(folder.problem()), Ending{Outcome::unusable};
  std::string program = folder / "program";
  if (int status = build(outcome, options, folder, program))
    return {status};
  if (options.texts.front().target != Target::Gpu)
    nameSymbolizer();
  Words words = {program};
  words.insert(words.end(), options.programArguments.begin(), options.programArguments.end());
  return runLimited(std::move(words), options, keeper);
}

int buildAndRun(const Outcome &outcome, const Options &options) {
  std::optional<std::string> keeper = findTimeKeeper(options);
  if (!keeper)
    return 2;
  if (options.texts.front().target == Target::Gpu && !hasGpu())
    return say(message::NoGpu), 2;
  return statusAfter(runBuilt(outcome, options, *keeper), options, *keeper);
}

int buildLibrary(const Outcome &outcome, const Options &options) {
  TemporaryFolder folder;
  if (!folder)
    return say(folder.problem()), 2;
  std::string product = folder / "library";
  if (int status = build(outcome, options, folder, product))
    return status;
  auto contents = MemoryBuffer::getFile(product);
  if (!contents)
    return say(formatv(message::CannotRead, product, contents.getError().message()).str()), 2;
  unsigned permissions = sys::fs::getPermissions(product).get();
  if (Error error = writeFile(options.library, (*contents)->getBuffer().str(), permissions))
    return say(formatv(message::CannotWrite, options.library, toString(std::move(error))).str()), 2;
  return 0;
}

} // namespace tessera::driver
