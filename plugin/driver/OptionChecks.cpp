// A check reads the values as given, before any file is read or written.
#include "driver/OptionChecks.h"
#include "driver/RunPython.h"
#include "support/Counted.h"
#include "support/Messages.h"
#include "support/Near.h"
#include "plan/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tessera::driver {

bool fail(const Twine &message) {
  errs() << "tessera: " << message << '\n';
  return false;
}

static const std::string &inputOf(const Declarations &given) {
  return given.dumpCommand ? given.bytecode : given.file;
}

bool checkInput(const Declarations &given) {
  const std::string &file = inputOf(given);
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
static bool refuseArchitecture(StringRef name) {
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

static StringRef nameOf(Target target) {
  return target == Target::Cpu ? "cpu" : target == Target::Gpu ? "gpu" : "emulate";
}

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
  if (given.profileCommand && (texts.size() > 1 || texts.front().target != Target::Gpu))
    return refuse(message::ProfilesGpu);
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
  if (given.runCommand || given.buildCommand || given.profileCommand || given.checkCommand ||
      given.explainCommand)
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

bool checkSurplus(const Declarations &given) {
  auto names = map_range(given.commands, [](auto *command) { return command->getName().str(); });
  std::vector<std::string> commands(names.begin(), names.end());
  const std::string &file = inputOf(given);
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

bool checkPythonOptions(Declarations &given) {
  if (!given.runCommand || !isPythonProgram(given.file))
    return true;
  for (const auto &[name, option] : cl::getRegisteredOptions(given.runCommand)) {
    bool isKnown = option->isPositional() || is_contained({"target", "check", "timeout"}, name);
    if (option->getNumOccurrences() && !isKnown)
      return fail(formatv(message::PythonOption, (name.size() == 1 ? "-" : "--") + name));
  }
  return true;
}

bool checkOptimization(const std::string &level) {
  return is_contained(levels, StringRef(level)) ||
         fail(formatv(message::NotAnOptimizationLevel, level));
}

} // namespace tessera::driver
