// The outputs are in a temporary folder under the names of the inputs, so that nvcc derives its
// file names from these.
#include "nvcc/HostBuild.h"
#include "support/Messages.h"
#include "driver/Files.h"
#include "driver/Translate.h"
#include "nvcc/Source.h"
#include "nvcc/Spelling.h"
#include "nvcc/TextCompiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

int fail(const Twine &message) {
  errs() << "tessera-nvcc: " << message << '\n';
  return 1;
}

bool isSource(StringRef file) {
  return is_contained({".c", ".cc", ".cpp", ".cxx", ".cu"}, sys::path::extension(file));
}

std::string withExtension(StringRef file, StringRef extension) {
  SmallString<128> name = file;
  sys::path::replace_extension(name, extension);
  return name.str().str();
}

// -arch=sm_90a, written so that it implies no other architecture: nvcc 13.0 also adds compute_90,
// but the code has instructions that only sm_90a has. Nothing for other options.
std::optional<Words> alone(const CommandLine &line, StringRef name) {
  if (!name.starts_with("sm_") || isDigit(name.back()) || line.has(OptionKind::Code) ||
      line.has(OptionKind::GenerateCode))
    return std::nullopt;
  StringRef suffix = name.drop_front(3);
  return Words{"-gencode", formatv("arch=compute_{0},code=[sm_{0},compute_{0}]", suffix).str()};
}

// The outputs for the inputs, in a folder each.
class Texts {
public:
  explicit Texts(const driver::TemporaryFolder &folder) : folder(folder) {}

  std::string nameOf(const Option &input) {
    unsigned number = unsigned(numbers.insert({&input, numbers.size()}).first->second);
    return folder / (Twine(number) + "/" + sys::path::filename(input.value));
  }

private:
  const driver::TemporaryFolder &folder;
  DenseMap<const Option *, size_t> numbers;
};

// Translates one of the inputs to a file, planned by `policies`. `planned` receives its kernels.
int translateTo(const std::string &text, const CommandLine &line, const std::string &file,
                const Architectures &architectures, const Toolkit &toolkit,
                const KernelPolicies &policies, raw_ostream &messages,
                std::vector<driver::PlannedKernel> &planned) {
  StringRef home = sys::path::parent_path(text);
  std::vector<const GpuTarget *> rows = architectures.rows;
  if (rows.empty())
    rows = {&defaultGpuTarget()}; // for the parse only
  driver::Options options = translationOptions(line, file, rows, toolkit, home.str());
  options.settings.hasOlderArchitectures = architectures.hasOlder;
  options.settings.pipeline.ofKernels = policies;
  driver::Outcome outcome = driver::translate(options, messages);
  if (outcome.status != 0)
    return outcome.status;
  append_range(planned, outcome.planned);
  Error error = errorCodeToError(sys::fs::create_directories(home));
  if (!error)
    error = driver::writeFile(text, std::move(outcome.texts.front()));
  if (error)
    return fail(formatv(message::CannotWrite, text, toString(std::move(error))));
  return keepText(line, file, text);
}

} // namespace

// It names the user's files, so nvcc makes it from the input itself.
int keepText(const CommandLine &line, const std::string &file, const std::string &text) {
  if (!line.has(OptionKind::Keep))
    return 0;
  SmallString<128> kept(line.valueOf(OptionKind::KeepFolder).value_or(""));
  sys::path::append(kept, withExtension(sys::path::filename(file), "simt.cu"));
  auto contents = MemoryBuffer::getFile(text);
  Error error = contents ? driver::writeFile(kept, (*contents)->getBuffer().str())
                         : errorCodeToError(contents.getError());
  return error ? fail(formatv(message::CannotWrite, kept, toString(std::move(error)))) : 0;
}

int writeDependencies(const CommandLine &line, const Option &input, const Toolkit &toolkit) {
  auto output = line.valueOf(OptionKind::Output);
  std::string stem = output.value_or(sys::path::filename(input.value).str());
  Words words = line.spell([&](const Option &option) -> std::optional<Words> {
    switch (option.kind) {
    case OptionKind::Input: return &option == &input ? std::nullopt : std::optional(Words());
    case OptionKind::DependenciesToo: return Words{"-M"};
    case OptionKind::OwnDependenciesToo: return Words{"-MM"};
    case OptionKind::DeviceCompile: return Words{"-rdc=true"};
    case OptionKind::Compile:
    case OptionKind::Output:
    case OptionKind::OutputFolder:
    case OptionKind::DependencyFile:
    case OptionKind::DependencyTarget:
    case OptionKind::Keep:
    case OptionKind::KeepFolder: return Words();
    default: return isImage(option.kind) ? Words() : withoutTileOptions(option);
    }
  });
  Words first = headersOfLibraries(line);
  first.insert(first.begin(), toolkit.compiler);
  words.insert(words.begin(), first.begin(), first.end());
  words.insert(words.end(), {"-MT", line.valueOf(OptionKind::DependencyTarget)
                                        .value_or(output.value_or(withExtension(stem, "o")))});
  append_range(words, sourceOptions(line));
  std::string rule;
  if (int status = runCompiler(words, &rule))
    return status;
  std::string file = line.valueOf(OptionKind::DependencyFile).value_or(withExtension(stem, "d"));
  if (Error error = driver::writeFile(file, std::move(rule)))
    return fail(formatv(message::CannotWrite, file, toString(std::move(error))));
  return 0;
}

int buildForHost(const CommandLine &line, const TileInputs &tileInputs,
                 const Architectures &architectures, const Toolkit &toolkit) {
  driver::TemporaryFolder folder;
  if (!folder)
    return fail(folder.problem());
  Texts texts(folder);
  bool isDry = line.has(OptionKind::DryRun);
  // Translates all inputs with tile code, and reports it if requested.
  auto translateAll = [&](const KernelPolicies &policies, raw_ostream &messages,
                          std::vector<driver::PlannedKernel> &planned) {
    for (const Option *input : tileInputs) {
      std::string text = texts.nameOf(*input);
      if (isDry || line.has(OptionKind::Verbose))
        errs() << "#$ tessera " << input->value << " -o " << text << '\n';
      if (isDry)
        continue;
      if (int status = translateTo(text, line, input->value, architectures, toolkit, policies,
                                   messages, planned))
        return status;
    }
    return 0;
  };
  driver::CompiledPlan plan;
  if (int status = translateAll({}, errs(), plan.kernels))
    return status;

  Words words = line.spell([&](const Option &option) -> std::optional<Words> {
    switch (option.kind) {
    case OptionKind::Input:
      return is_contained(tileInputs, &option) ? std::optional(Words{texts.nameOf(option)})
                                               : std::nullopt;
    case OptionKind::Architecture: return alone(line, option.value);
    case OptionKind::DependenciesToo:
    case OptionKind::OwnDependenciesToo:
    case OptionKind::DependencyFile:
    case OptionKind::DependencyTarget:
    case OptionKind::DependencyPhony: return Words();
    default: return withoutTileOptions(option);
    }
  });
  Words first = headersOfLibraries(line);
  first.insert(first.begin(), toolkit.compiler);
  words.insert(words.begin(), first.begin(), first.end());
  append_range(words, languageOptions(line));
  std::string programs =
      join(map_range(tileInputs, [](auto *input) { return input->value; }), ", ");
  const bool mayPlanAgain =
      !line.has(OptionKind::Run) && driver::mayPlanAgain(plan.kernels) && !isDry;
  CompiledText about{programs, &folder};
  about.isRun = line.has(OptionKind::Run);
  about.readsUse = mayPlanAgain && !asksForUse(line);
  if (about.readsUse)
    append_range(words, useOptions());
  int status = compileText(words, about, errs(), mayPlanAgain ? &plan.report : nullptr);
  if (status == 0 && mayPlanAgain) {
    // Only nvcc knows which files it makes: it makes them again.
    auto again = [&](const KernelPolicies &policies) -> std::optional<driver::CompiledPlan> {
      driver::CompiledPlan next;
      status = translateAll(policies, nulls(), next.kernels); // the diagnostics have been printed
      if (status == 0)
        status = compileText(words, about, errs(), &next.report);
      return status ? std::nullopt : std::optional(std::move(next));
    };
    if (auto last = driver::planAgain(std::move(plan), again, errs())) {
      status = 0;
      errs() << toldOf(last->report, about);
    }
  }
  for (const Option *input : line.inputs())
    if (status == 0 && wantsDependencies(line) && !isDry && isSource(input->value))
      status = writeDependencies(line, *input, toolkit);
  return status < 0 ? 1 : status;
}

} // namespace tessera::nvcc
